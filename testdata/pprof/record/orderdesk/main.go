// Orderdesk makes up orders, books, indexes, archives and reports them, and
// records itself doing so: one profile of each kind that Go's runtime writes.
//
//	orderdesk DIRECTORY
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"

	"orderdesk/archive"
	"orderdesk/catalog"
	"orderdesk/report"
)

const workers = 3

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: orderdesk DIRECTORY")
	}
	directory := os.Args[1]
	runtime.MemProfileRate = 16 << 10
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(10_000)

	desk := newDesk()
	recordCPU(filepath.Join(directory, "cpu.pb.gz"), func() { desk.work(5 * time.Second) })
	recordCPU(filepath.Join(directory, "labels.pb.gz"), func() { desk.serve(2 * time.Second) })

	stop := make(chan struct{})
	idle := desk.waitForOrders(stop)
	for _, name := range []string{"heap", "mutex", "block", "goroutine"} {
		recordNamed(name, filepath.Join(directory, name+".pb.gz"))
	}
	close(stop)
	idle.Wait()
	fmt.Println("batches kept:", len(desk.kept))
}

// desk is the state that all workers share.
type desk struct {
	ledger *report.Ledger
	mutex  sync.Mutex
	kept   []archive.Kept
	index  *catalog.Tree[string, int]
}

func newDesk() *desk { return &desk{ledger: report.NewLedger()} }

// work keeps every worker busy for the given time.
func (d *desk) work(duration time.Duration) {
	deadline := time.Now().Add(duration)
	batches := make(chan uint64)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for seed := range batches {
				d.handle(context.Background(), seed)
			}
		})
	}
	for seed := uint64(0); time.Now().Before(deadline); seed++ {
		batches <- seed
	}
	close(batches)
	group.Wait()
}

// serve does the same work under labels, the way a server labels requests.
func (d *desk) serve(duration time.Duration) {
	deadline := time.Now().Add(duration)
	tenants := []string{"north", "south", "west"}
	var group sync.WaitGroup
	for _, tenant := range tenants {
		group.Go(func() {
			for seed := uint64(0); time.Now().Before(deadline); seed++ {
				labels := pprof.Labels("tenant", tenant, "batch", fmt.Sprint(seed%4))
				pprof.Do(context.Background(), labels, func(ctx context.Context) { d.handle(ctx, seed) })
			}
		})
	}
	group.Wait()
}

// handle takes one batch of orders through every step.
func (d *desk) handle(ctx context.Context, seed uint64) {
	orders := catalog.Generate(seed, 120)
	step(ctx, "book", func() { d.book(orders) })
	step(ctx, "index", func() { d.reindex(orders) })
	step(ctx, "archive", func() { d.archive(orders) })
	step(ctx, "report", func() { d.report(seed, orders) })
}

// step adds the name of the step to the labels that the caller set, if any.
func step(ctx context.Context, name string, run func()) {
	if _, labelled := pprof.Label(ctx, "tenant"); !labelled {
		run()
		return
	}
	pprof.Do(ctx, pprof.Labels("step", name), func(context.Context) { run() })
}

func (d *desk) book(orders []catalog.Order) {
	for i := range orders {
		d.ledger.Add(&orders[i])
	}
}

func (d *desk) reindex(orders []catalog.Order) {
	var index *catalog.Tree[string, int]
	for i := range orders {
		for _, line := range orders[i].Lines {
			index = index.Insert(line.Article, orders[i].ID)
		}
	}
	longest := 0
	index.Walk(func(_ string, ids []int) { longest = max(longest, len(ids)) })
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.index = index
}

func (d *desk) archive(orders []catalog.Order) {
	packed, err := archive.Pack(orders)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := archive.Unpack(packed); err != nil {
		log.Fatal(err)
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.kept = append(d.kept, packed); len(d.kept) > 200 {
		d.kept = d.kept[100:]
	}
}

// report renders every batch and ranks the customers now and then: that is slow,
// because it sorts by looking up each customer in a map, under the lock.
func (d *desk) report(seed uint64, orders []catalog.Order) {
	report.Render(orders)
	if seed%8 == 0 {
		d.ledger.Best(10)
	}
}

// waitForOrders parks goroutines, so that the goroutine profile has several
// different stacks; it returns when all of them are parked.
func (d *desk) waitForOrders(stop <-chan struct{}) *sync.WaitGroup {
	var group sync.WaitGroup
	for range 40 {
		group.Go(func() { <-stop })
	}
	for range 8 {
		group.Go(func() {
			select {
			case <-stop:
			case <-time.After(time.Hour):
			}
		})
	}
	time.Sleep(50 * time.Millisecond)
	runtime.GC() // the heap profile is as of the last finished collection
	return &group
}

func recordCPU(path string, run func()) {
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		log.Fatal(err)
	}
	run()
	pprof.StopCPUProfile()
	save(path, &profile)
}

func recordNamed(name, path string) {
	var profile bytes.Buffer
	if err := pprof.Lookup(name).WriteTo(&profile, 0); err != nil {
		log.Fatal(err)
	}
	save(path, &profile)
}

func save(path string, profile *bytes.Buffer) {
	if err := os.WriteFile(path, profile.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
