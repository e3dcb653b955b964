// Command logsummary reads a web server's access log and tells, page by page, how many requests
// and how many different visitors there were; it also archives the log.
//
// It records a CPU profile of itself: logsummary PROFILE SEED.
package main

import (
	"bytes"
	"compress/flate"
	"fmt"
	"log"
	"math/rand"
	"os"
	"runtime"
	"runtime/pprof"
	"sort"
	"strconv"
	"strings"
	"time"
)

// An entry is one request.
type entry struct {
	visitor string
	at      time.Time
	page    string
	status  int
	bytes   int
}

// A page collects what was asked of one page.
type page struct {
	name     string
	requests int
	bytes    int
	visitors map[string]struct{}
}

// addVisitor remembers who asked for the page.
func (p *page) addVisitor(visitor string) {
	p.visitors[visitor] = struct{}{}
}

// parseRequest reads a line such as
//
//	10.1.2.3 2026-03-01T10:00:00Z GET /shop/Item%2042?from=mail 200 5120
func parseRequest(line string) (entry, error) {
	fields := strings.Fields(line)
	if len(fields) != 6 {
		return entry{}, fmt.Errorf("%d fields", len(fields))
	}
	at, err := time.Parse(time.RFC3339, fields[1])
	if err != nil {
		return entry{}, err
	}
	status, err := strconv.Atoi(fields[4])
	if err != nil {
		return entry{}, err
	}
	size, err := strconv.Atoi(fields[5])
	if err != nil {
		return entry{}, err
	}
	return entry{visitor: fields[0], at: at, page: pageName(fields[3]), status: status, bytes: size}, nil
}

// pageName is what a page is called, without the query.
func pageName(address string) string {
	name, _, _ := strings.Cut(address, "?")
	return strings.ToLower(strings.ReplaceAll(name, "%20", " "))
}

// summarize counts requests and visitors of every page.
func summarize(lines []string) (map[string]*page, error) {
	pages := map[string]*page{}
	for _, line := range lines {
		request, err := parseRequest(line)
		if err != nil {
			return nil, err
		}
		if request.status >= 400 {
			continue
		}
		found := pages[request.page]
		if found == nil {
			found = &page{name: request.page, visitors: map[string]struct{}{}}
			pages[request.page] = found
		}
		found.requests++
		found.bytes += request.bytes
		found.addVisitor(request.visitor)
	}
	return pages, nil
}

// report prints the pages, the most visited first.
func report(pages map[string]*page) string {
	list := make([]*page, 0, len(pages))
	for _, one := range pages {
		list = append(list, one)
	}
	sort.Slice(list, func(a, b int) bool {
		if len(list[a].visitors) != len(list[b].visitors) {
			return len(list[a].visitors) > len(list[b].visitors)
		}
		return list[a].name < list[b].name
	})
	var text strings.Builder
	for _, one := range list {
		fmt.Fprintf(&text, "%8d %6d %10d %s\n", one.requests, len(one.visitors), one.bytes, one.name)
	}
	return text.String()
}

// archive packs a part of the log. How often and how tightly differs from run to run, as if it had
// as much time as is left.
func archive(lines []string, random *rand.Rand) int {
	text := strings.Join(lines, "\n")
	size := 0
	for range 5 + random.Intn(16) {
		var packed bytes.Buffer
		writer, _ := flate.NewWriter(&packed, 1+random.Intn(6))
		writer.Write([]byte(text[:len(text)/10]))
		writer.Close()
		size = packed.Len()
	}
	return size
}

// makeLog makes up a log: the same one in every run.
func makeLog(count int) []string {
	random := rand.New(rand.NewSource(1))
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	lines := make([]string, count)
	for number := range lines {
		at := start.Add(time.Duration(number) * 40 * time.Millisecond)
		status := 200
		if random.Intn(20) == 0 {
			status = 404
		}
		page := int(random.ExpFloat64() * 40)
		lines[number] = fmt.Sprintf("10.%d.%d.%d %s GET /shop/Item%%20%d?from=mail %d %d",
			random.Intn(2), random.Intn(4), random.Intn(64), at.Format(time.RFC3339),
			page, status, 200+random.Intn(20000))
	}
	return lines
}

func main() {
	seed, err := strconv.ParseInt(os.Args[2], 10, 64)
	if err != nil {
		log.Fatal(err)
	}
	lines := makeLog(1_200_000)
	runtime.GC()
	output, err := os.Create(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	runtime.SetCPUProfileRate(250)
	pprof.StartCPUProfile(output)
	pages, err := summarize(lines)
	if err != nil {
		log.Fatal(err)
	}
	text := report(pages)
	size := archive(lines, rand.New(rand.NewSource(seed)))
	pprof.StopCPUProfile()
	fmt.Printf("%d pages, %d bytes of report, %d bytes of archive\n", len(pages), len(text), size)
}
