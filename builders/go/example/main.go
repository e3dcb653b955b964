// The example of every builder: allocations with their use and reuse, on two threads.
package main

import (
	"fmt"
	"log"
	"os"

	hotframe "github.com/hotframe/hotframe/builders/go"
)

func main() {
	origin := hotframe.Origin{
		Producer: "builders example 1.0", TimeNs: 1_700_000_000_000_000_000, ClockNs: 5000,
		Period: 512, PeriodType: "space", PeriodUnit: "bytes",
	}
	profile, err := hotframe.Create(os.Args[1], origin)
	if err != nil {
		log.Fatal(err)
	}
	size := profile.Metric(hotframe.MetricInfo{Name: "allocated", Unit: "bytes"})
	count := profile.Metric(hotframe.MetricInfo{Name: "allocations", Unit: "count"})
	lifetime := profile.Metric(hotframe.MetricInfo{
		Name: "lifetime", Unit: "seconds", Decimals: 3, OverContexts: hotframe.Mean,
		OverTime: hotframe.Mean, OverMembers: hotframe.NoFigure, Weight: &count,
	})
	profile.DefaultMetric(count)
	module := profile.Module(hotframe.ModuleInfo{
		Path: "/usr/bin/example", BuildID: "c0ffee", MemoryStart: 0xffffffff81000000,
		MemoryLimit: 0xffffffff82000000, FileOffset: 4096,
	})
	start := profile.Context(hotframe.Root, profile.Frame(hotframe.Frame{
		Function: "main", File: "example.c", Line: 10, StartLine: 8, Module: &module,
	}))
	growFrame := profile.Frame(hotframe.Frame{
		Function: "List::grow", SystemName: "_ZN4List4growEv", File: "list.cpp", Line: 21,
		Module: &module, Address: 0xffffffff81000010, Instruction: "call malloc",
	})
	grow := profile.Context(start, growFrame)
	heap := profile.Context(grow, profile.Frame(hotframe.Frame{Function: "list", Kind: hotframe.Data}))
	next := []hotframe.Inlined{{Function: "next", File: "list.h", Line: 7}}
	walk := profile.Context(start, profile.Frame(hotframe.Frame{Function: "walk", File: "list.cpp", Line: 40, Inlined: next}))
	block := profile.Context(walk, profile.Frame(hotframe.Frame{
		Function: "next", File: "list.h", Line: 8, Module: &module, Address: 0xffffffff81000020,
		Instruction: "mov rax, [rax + 8]", Kind: hotframe.Block,
	}))
	process := profile.Process("42", "example")
	threads := [2]hotframe.Thread{}
	for number := range threads {
		threads[number] = profile.Thread(fmt.Sprint(number+1), fmt.Sprint("worker ", number+1), &process)
	}
	profile.Member(hotframe.MemberInfo{Name: "run 1", Host: "node 1", TimeNs: 1_700_000_000_000_000_000})
	for step := int64(0); step < 10; step++ {
		phase := "steady"
		if step < 5 {
			phase = "grow"
		}
		timeNs, cpu := step*1_000_000, uint32(step%4)
		profile.Point(hotframe.Point{
			Context: heap,
			Values:  map[hotframe.Metric]int64{size: 4096 + step, count: 1, lifetime: 250},
			Labels: []hotframe.Label{
				hotframe.TextLabel("phase", phase),
				hotframe.NumberLabel("step", step, ""),
				hotframe.NumberLabel("size", 64*step, "bytes"),
			},
			TimeNs: &timeNs,
			Thread: &threads[step%2],
			CPU:    &cpu,
			Links:  []hotframe.Link{{Role: "allocation", Context: heap}, {Role: "use", Context: walk}, {Role: "reuse", Context: walk}},
		})
	}
	profile.Point(hotframe.Point{Context: block, Values: map[hotframe.Metric]int64{count: -1}})
	profile.Note(hotframe.Note{Title: "Sampled", Text: "One in 512 bytes was seen."})
	profile.Note(hotframe.Note{
		Title: "Reused", Text: "What is read here is read again.", Link: "https://example.com/reuse", Context: heap,
	})
	profile.Note(hotframe.Note{Title: "Grows by one", Frame: &growFrame})
	profile.Note(hotframe.Note{Title: "Chases pointers", Text: "An array is faster.", File: "list.cpp", Line: 40})
	profile.Duration(9_000_000)
	if err := profile.Close(); err != nil {
		log.Fatal(err)
	}
}
