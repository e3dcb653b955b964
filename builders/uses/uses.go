// Says the calls of uses.txt to the Go builder.
package main

import (
	"bufio"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"

	hotframe "github.com/hotframe/hotframe/builders/go"
)

// unsayable is what Go's types rule out.
type unsayable struct{}

type arguments map[string]string

func (a arguments) text(key string) string {
	if a[key] == "null" {
		panic(unsayable{})
	}
	return unescaped(a[key])
}

func unescaped(text string) string {
	out, err := url.PathUnescape(text)
	if err != nil {
		panic(err)
	}
	return out
}

func unsigned(text string, bits int) uint64 {
	number, err := strconv.ParseUint(text, 10, bits)
	if err != nil {
		panic(unsayable{})
	}
	return number
}

func signed(text string) int64 {
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(unsayable{})
	}
	return number
}

func (a arguments) number(key string, bits int) uint64 {
	if text, given := a[key]; given {
		return unsigned(text, bits)
	}
	return 0
}

func (a arguments) signed(key string) int64 {
	if text, given := a[key]; given {
		return signed(text)
	}
	return 0
}

func (a arguments) pair(key string) (string, string) {
	before, after, _ := strings.Cut(a[key], ":")
	if before == "null" || after == "null" {
		panic(unsayable{})
	}
	return unescaped(before), unescaped(after)
}

func row[Row ~uint64](a arguments, key string) *Row {
	text, given := a[key]
	if !given {
		return nil
	}
	found := Row(unsigned(text, 64))
	return &found
}

func point(p *hotframe.Profile, a arguments) error {
	if a["point"] != "" || a["values"] == "" || a["values"] == "null" {
		panic(unsayable{})
	}
	point := hotframe.Point{
		Context: hotframe.Context(a.number("context", 64)), Values: map[hotframe.Metric]int64{},
		Thread: row[hotframe.Thread](a, "thread"), Member: row[hotframe.Member](a, "member"),
	}
	for metric, value := range strings.Split(a["values"], ",") {
		point.Values[hotframe.Metric(metric)] = signed(value)
	}
	if a["label"] != "" {
		key, value := a.pair("label")
		point.Labels = []hotframe.Label{hotframe.TextLabel(key, value)}
	}
	if a["link"] != "" {
		role, context := a.pair("link")
		point.Links = []hotframe.Link{{Role: role, Context: hotframe.Context(unsigned(context, 64))}}
	}
	if a["time"] != "" {
		time := a.signed("time")
		point.TimeNs = &time
	}
	if a["cpu"] != "" {
		cpu := uint32(a.number("cpu", 32))
		point.CPU = &cpu
	}
	return p.Point(point)
}

// call tells whether a call is refused.
func call(p *hotframe.Profile, what string, a arguments) bool {
	switch what {
	case "metric":
		return p.Metric(hotframe.MetricInfo{
			Name: a.text("name"), Unit: a.text("unit"), Decimals: uint8(a.number("decimals", 8)),
			OverContexts: hotframe.Combine(a.number("contexts", 64)), Weight: row[hotframe.Metric](a, "weight"),
		}) == hotframe.None
	case "default":
		return p.DefaultMetric(hotframe.Metric(a.number("metric", 64))) != nil
	case "duration":
		return p.Duration(a.signed("ns")) != nil
	case "module":
		return p.Module(hotframe.ModuleInfo{
			Path: a.text("path"), MemoryStart: a.number("start", 64), MemoryLimit: a.number("limit", 64),
		}) == hotframe.None
	case "frame":
		if a["frame"] != "" {
			panic(unsayable{})
		}
		return p.Frame(hotframe.Frame{
			Function: a.text("function"), File: a.text("file"), Line: uint32(a.number("line", 32)),
			Column: uint32(a.number("column", 32)), StartLine: uint32(a.number("start_line", 32)),
			Module: row[hotframe.ModuleRow](a, "module"), Address: a.number("address", 64),
			Kind: hotframe.Kind(a.number("kind", 64)), Instruction: a.text("instruction"),
			SystemName: a.text("system_name"),
		}) == hotframe.None
	case "context":
		return p.Context(hotframe.Context(a.number("parent", 64)), hotframe.FrameRow(a.number("frame", 64))) == hotframe.None
	case "process":
		return p.Process(a.text("id"), "") == hotframe.None
	case "thread":
		return p.Thread(a.text("id"), "", row[hotframe.Process](a, "process")) == hotframe.None
	case "member":
		return p.Member(hotframe.MemberInfo{Name: a.text("name"), TimeNs: a.signed("time")}) == hotframe.None
	case "point":
		return point(p, a) != nil
	case "note":
		if a["note"] != "" {
			panic(unsayable{})
		}
		return p.Note(hotframe.Note{
			Title: a.text("title"), Text: a.text("text"), Link: a.text("link"),
			Context: hotframe.Context(a.number("context", 64)), Frame: row[hotframe.FrameRow](a, "frame"),
			File: a.text("file"), Line: uint32(a.number("line", 32)),
		}) != nil
	case "flush":
		return p.Flush() != nil
	}
	p.Close()
	return false
}

// outcome says what came of a call.
func outcome(p *hotframe.Profile, what string, a arguments) (said string) {
	defer func() {
		if problem := recover(); problem != nil {
			if _, is := problem.(unsayable); !is {
				panic(problem)
			}
			said = "unsayable"
		}
	}()
	if call(p, what, a) {
		return "refused"
	}
	return "ok"
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	var profile *hotframe.Profile
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch words[0] {
		case "case":
			profile, _ = hotframe.Create(os.Args[1]+"/"+words[1]+".hotframe", hotframe.Origin{})
		case "end":
			profile.Close()
		default:
			given := arguments{}
			for _, word := range words[1:] {
				key, value, _ := strings.Cut(word, "=")
				given[key] = value
			}
			fmt.Println(outcome(profile, words[0], given))
		}
	}
}
