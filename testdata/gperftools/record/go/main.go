// Ferry carries crates between goroutines and writes every profile of runtime/pprof as
// text (debug=1 and, for goroutines, debug=2).
//
//	ferry FOLDER
package main

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
)

type crate struct {
	inner *crate
	goods []byte
}

//go:noinline
func pack(depth int) *crate {
	if depth == 0 {
		return nil
	}
	return &crate{pack(depth - 1), make([]byte, 512<<depth)}
}

type deck struct {
	sync.Mutex
	crates []*crate
}

func (d *deck) load(crates int) {
	for i := 0; i < crates; i++ {
		d.Lock()
		d.crates = append(d.crates, pack(i%6))
		time.Sleep(time.Millisecond)
		d.Unlock()
	}
}

func wait(gate <-chan bool) { <-gate }

func write(folder, profile string, debug int, name string) {
	file, err := os.Create(filepath.Join(folder, name))
	if err == nil {
		err = pprof.Lookup(profile).WriteTo(file, debug)
	}
	if err != nil {
		panic(err)
	}
	file.Close()
}

func main() {
	runtime.MemProfileRate = 4096
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	var (
		boat deck
		done sync.WaitGroup
		gate = make(chan bool)
	)
	for sailor := 0; sailor < 3; sailor++ {
		go wait(gate)
		done.Add(1)
		go func() {
			defer done.Done()
			boat.load(60)
		}()
	}
	done.Wait()
	boat.crates = boat.crates[:60]
	runtime.GC()
	for _, profile := range []string{"heap", "allocs", "threadcreate", "mutex", "block", "goroutine"} {
		write(os.Args[1], profile, 1, "go-"+profile+".txt")
	}
	write(os.Args[1], "goroutine", 2, "go-goroutine-2.txt")
	write(os.Args[1], "heap", 0, "go-heap.pb.gz")
	runtime.KeepAlive(boat.crates)
	close(gate)
}
