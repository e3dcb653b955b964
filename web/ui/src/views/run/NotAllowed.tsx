/** Where nothing may be run: how to allow it. */
export function NotAllowed() {
  return (
    <main class="runs message">
      <div class="card" role="alert">
        <h1>Nothing may be run from this page</h1>
        <p>Start Hotframe so that it may, and open the address that it prints:</p>
        <p class="mono">hotframe open --allow-run</p>
        <p class="mute">
          What is sent then runs isolated: without network, and without your files.
        </p>
      </div>
    </main>
  );
}
