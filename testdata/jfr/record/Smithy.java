import java.util.ArrayList;
import java.util.List;

/** Forges and hammers: recursion, two threads, locks, allocations, waits. */
public class Smithy {
    static final Object anvil = new Object();
    static volatile long result;

    static int fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    static boolean even(int n) {
        return n == 0 || odd(n - 1);
    }

    static boolean odd(int n) {
        return n != 0 && even(n - 1);
    }

    static List<byte[]> smelt(int bars) {
        List<byte[]> ingots = new ArrayList<>();
        for (int i = 0; i < bars; i++) ingots.add(new byte[1000 + i]);
        return ingots;
    }

    static void hammer(int blows) {
        synchronized (anvil) {
            for (int i = 0; i < blows; i++) result += fibonacci(18);
            even(300);
        }
    }

    static void work(long until) {
        while (System.nanoTime() < until) {
            hammer(20);
            result += smelt(400).stream().mapToLong(ingot -> ingot.length).sum();
        }
    }

    public static void main(String[] arguments) throws Exception {
        long until = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000;
        Thread smith = new Thread(() -> work(until), "smith");
        Thread apprentice = new Thread(() -> work(until), "apprentice \"2\"");
        smith.start();
        apprentice.start();
        Thread.sleep(50);
        smith.join();
        apprentice.join();
    }
}
