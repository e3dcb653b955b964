// SPDX-License-Identifier: MIT OR Apache-2.0
// Copyright (c) 2026 The Hotframe authors

// Package hotframe writes Hotframe's exchange file: profiles that `hotframe open` shows.
//
//	profile, err := hotframe.Create("run.hotframe", hotframe.Origin{Producer: "my profiler 1.0"})
//	time := profile.Metric(hotframe.MetricInfo{Name: "time", Unit: "nanoseconds"})
//	main := profile.Context(hotframe.Root, profile.Frame(hotframe.Frame{Function: "main", File: "main.go", Line: 3}))
//	profile.Point(hotframe.Point{Context: main, Values: map[hotframe.Metric]int64{time: 1200}})
//	err = profile.Close()
//
// Rows are written block by block: what is held in memory are the tables that name things, never
// the points. Labels are kept until they are many, then they are forgotten and written again where
// they return. The format is schema/profile.proto; the package needs nothing but the standard
// library.
//
// A call that is wrong is refused: it changes nothing and gives a row that every other call refuses
// (None). Err is the first error, and Close returns it; what was right is written all the same.
// After an error of writing nothing more is written. Texts are UTF-8; bytes that are not become
// U+FFFD. A Profile must not be used by several goroutines at once.
package hotframe

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"unicode/utf8"
)

const (
	magic   = "hotframe profile"
	version = 1
	// blockPoints is how many points stand in one block.
	blockPoints = 4096
	// mostLabels is how many label sets and texts of labels are remembered beyond a block.
	mostLabels   = 65536
	mostDecimals = 18
)

// ErrClosed is the error of calls after Close.
var ErrClosed = errors.New("hotframe: the profile is closed")

// Row numbers of the tables. The same arguments give the same row.
type (
	Metric    uint64
	ModuleRow uint64
	FrameRow  uint64
	Context   uint64
	Process   uint64
	Thread    uint64
	Member    uint64
)

// Root is the whole program: the parent of the first frame of a stack.
const Root Context = 0

// None is the number of the row that refused calls give.
const None = math.MaxUint64

// Kind is what a frame is.
type Kind uint64

// The kinds of frames.
const (
	Code   Kind = iota // Code of a function.
	Loop               // A loop of the function around it.
	Data               // A variable, or the memory that its parent context allocated.
	Region             // A phase, an annotation, an event.
	Block              // A basic block of the function around it: instructions that run one after the other.
)

// Combine is what several values together say.
type Combine uint64

// The ways to combine values.
const (
	Sum Combine = iota
	Maximum
	Minimum
	Last // The last in time; of points without time the last in the file.
	Mean
	NoFigure // There is no such figure.
)

// Origin is where a profile comes from; what is unknown is empty or 0.
type Origin struct {
	Producer   string // What measured it, with version.
	TimeNs     int64  // Start, in nanoseconds since 1970; 0 if unknown.
	DurationNs int64  // Length in nanoseconds; 0 if unknown; see Duration.
	ClockNs    int64  // What the producer's own clock showed at time 0 of the points, in nanoseconds.
	Period     int64  // Events between two samples, and what they count.
	PeriodType string
	PeriodUnit string
	Comments   []string
}

// MetricInfo describes a metric. Values count 10^-decimals of the unit; at most 18 decimals.
type MetricInfo struct {
	Name, Unit   string
	Decimals     uint8
	OverContexts Combine // Of the contexts below one, or of several contexts shown as one.
	OverTime     Combine // Of one context at several times.
	OverMembers  Combine // Of several members.
	Weight       *Metric // The metric that weights a Mean; nil if all points weigh the same.
}

// ModuleInfo describes a binary or library, with its mapping: first address, first address after
// it, offset in the file.
type ModuleInfo struct {
	Path, BuildID                        string
	MemoryStart, MemoryLimit, FileOffset uint64
}

// Frame is a place in code; what is unknown is empty or 0.
type Frame struct {
	Function, File          string
	Line, Column, StartLine uint32
	SystemName              string // The linker's name.
	Module                  *ModuleRow
	Address                 uint64
	Instruction             string // The instruction at the address, as a disassembler writes it.
	Kind                    Kind
	// Inlined are functions that the compiler put there, the outermost first.
	Inlined []Inlined
}

// Inlined is a function that was inlined.
type Inlined struct {
	Function, File          string
	Line, Column, StartLine uint32
	SystemName              string // The linker's name.
}

// MemberInfo describes one of several profiles in the file; what is unknown is empty or 0.
type MemberInfo struct {
	Name, Producer, Host string
	TimeNs               int64 // Start, in nanoseconds since 1970; 0 if unknown.
	DurationNs           int64 // Length in nanoseconds; 0 if unknown.
}

// Label tells points apart: a text, or a number that may have a unit.
type Label struct {
	Key      string
	Text     string
	Number   int64
	Unit     string
	IsNumber bool
}

// TextLabel is a label whose value is a text.
func TextLabel(key, text string) Label { return Label{Key: key, Text: text} }

// NumberLabel is a label whose value is a number; the unit may be empty.
func NumberLabel(key string, number int64, unit string) Label {
	return Label{Key: key, Number: number, Unit: unit, IsNumber: true}
}

// Link is a context that a point relates, with its role.
type Link struct {
	Role    string
	Context Context
}

// Point is a monitoring point: values by metric, measured in a context; one without a value is 0.
// If there are links, the point's own context must be among them.
type Point struct {
	Context Context
	Values  map[Metric]int64
	Labels  []Label
	TimeNs  *int64 // Nanoseconds after the start of the member, or of the profile.
	Thread  *Thread
	CPU     *uint32
	Member  *Member
	Links   []Link
}

// Note is what is to be said of a place: of one context, function or line, or, if none is given, of
// the whole program. Texts are plain.
type Note struct {
	Title, Text string // A few words, and more of it.
	Link        string // Where more is said: begins with https://, http:// or file://; may be empty.
	Context     Context
	Frame       *FrameRow // Its function, wherever it is called.
	File        string    // A source file, and a line of it, from 1.
	Line        uint32
}

// Profile is a profile under construction.
type Profile struct {
	out    io.Writer
	closer io.Closer
	// The first error; and the one after which nothing can be written.
	err, broken            error
	headWritten, hasPoints bool
	known                  known
	counts                 counts
	fresh                  fresh
	points                 points
	// cells is the key of a row while it is looked up.
	cells []byte
}

// known are rows by what tells them apart. Texts of labels are kept apart, so that they can be
// forgotten.
type known struct {
	strings, labelStrings map[string]uint64
	metrics               map[metricRow]uint64
	modules               map[[5]uint64]uint64
	functions             map[[4]uint64]uint64
	processes, threads    map[[3]uint64]uint64
	contexts              map[[2]uint64]uint64
	roles                 map[uint64]uint64
	members               map[MemberInfo]uint64
	locations, labelSets  map[string]uint64
	notes                 map[[6]uint64]bool
	// frameFunctions are the functions of the frames; None where it has no name.
	frameFunctions []uint64
}

// counts are how many rows the tables have in the file.
type counts struct {
	strings, metrics, modules, functions, locations, contexts, labelSets uint64
	processes, threads, members, roles                                   uint64
}

// fresh are rows that are not written yet.
type fresh struct {
	origin             message
	strings            []string
	roleRows           []uint64
	metrics            []metricRow
	modules            [][5]uint64
	functions          [][4]uint64
	processes, threads [][3]uint64
	locations          []location
	contexts           [][2]uint64
	labelSets          [][][3]uint64
	members            []MemberInfo
	notes              [][6]uint64
}

type metricRow struct {
	name, unit                                                 string
	decimals, overContexts, overTime, overMembers, weightPlus1 uint64
}

type location struct {
	kind, modulePlus1, address, instruction uint64
	frames                                  [][3]uint64
}

// points are the points of a block, as columns; all metrics of a point follow each other.
type points struct {
	context, labels, threads, cpus, members, linkCounts, linkRoles, linkContexts []uint64
	values, timed                                                                []uint64
	times                                                                        []int64
}

// clear empties the columns and keeps their memory.
func (b *points) clear() {
	for _, column := range []*[]uint64{
		&b.context, &b.labels, &b.threads, &b.cpus, &b.members, &b.linkCounts, &b.linkRoles,
		&b.linkContexts, &b.values, &b.timed,
	} {
		*column = (*column)[:0]
	}
	b.times = b.times[:0]
}

// Create makes a file at path.
func Create(path string, origin Origin) (*Profile, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	profile := New(file, origin)
	profile.closer = file
	return profile, nil
}

// New writes to out, which Close does not close.
func New(out io.Writer, origin Origin) *Profile {
	p := &Profile{out: out}
	p.known = known{
		strings: map[string]uint64{}, labelStrings: map[string]uint64{},
		metrics: map[metricRow]uint64{}, modules: map[[5]uint64]uint64{},
		functions: map[[4]uint64]uint64{}, processes: map[[3]uint64]uint64{},
		threads: map[[3]uint64]uint64{}, contexts: map[[2]uint64]uint64{},
		roles: map[uint64]uint64{}, members: map[MemberInfo]uint64{},
		locations: map[string]uint64{}, labelSets: map[string]uint64{}, notes: map[[6]uint64]bool{},
	}
	// String 0, context 0 and label set 0 always exist.
	p.counts = counts{strings: 1, contexts: 1, labelSets: 1}
	to := &p.fresh.origin
	to.text(2, sound(origin.Producer))
	to.integer(5, zigzag(origin.TimeNs))
	to.integer(6, zigzag(origin.DurationNs))
	to.integer(7, zigzag(origin.ClockNs))
	to.integer(8, zigzag(origin.Period))
	to.text(9, sound(origin.PeriodType))
	to.text(10, sound(origin.PeriodUnit))
	for _, comment := range origin.Comments {
		to.text(13, sound(comment))
	}
	return p
}

// Err is the first error, if there was one; Close returns it too.
func (p *Profile) Err() error { return p.err }

// refuse notes that a call was wrong.
func (p *Profile) refuse(format string, values ...interface{}) error {
	err := fmt.Errorf("hotframe: "+format, values...)
	if p.err == nil {
		p.err = err
	}
	return err
}

// fail notes that nothing can be written any more.
func (p *Profile) fail(err error) {
	p.broken = err
	if p.err == nil {
		p.err = err
	}
	// Nobody will write these.
	p.fresh, p.points = fresh{}, points{}
}

// isOpen tells whether calls may go on.
func (p *Profile) isOpen() bool {
	if p.broken != nil && p.err == nil {
		p.err = p.broken
	}
	return p.broken == nil
}

// Metric adds a metric. All must come before the first point.
func (p *Profile) Metric(info MetricInfo) Metric {
	if !p.isOpen() {
		return None
	}
	row := metricRow{
		sound(info.Name), sound(info.Unit), uint64(info.Decimals), uint64(info.OverContexts),
		uint64(info.OverTime), uint64(info.OverMembers), 0,
	}
	if info.Weight != nil {
		if uint64(*info.Weight) >= p.counts.metrics {
			p.refuse("metric %d is not defined", *info.Weight)
			return None
		}
		row.weightPlus1 = uint64(*info.Weight) + 1
	}
	known, isKnown := p.known.metrics[row]
	switch {
	case isKnown:
		return Metric(known)
	case info.Name == "":
		p.refuse("a metric needs a name")
	case info.Decimals > mostDecimals:
		p.refuse("a metric has %d decimals, at most %d are possible", info.Decimals, mostDecimals)
	case info.OverContexts > NoFigure || info.OverTime > NoFigure || info.OverMembers > NoFigure:
		p.refuse("the metric %q combines in a way that does not exist", info.Name)
	case p.hasPoints:
		p.refuse("the metric %q comes after the first point", info.Name)
	default:
		p.known.metrics[row] = p.counts.metrics
		p.fresh.metrics = append(p.fresh.metrics, row)
		p.counts.metrics++
		return Metric(p.counts.metrics - 1)
	}
	return None
}

// DefaultMetric tells which metric to show first.
func (p *Profile) DefaultMetric(metric Metric) error {
	if !p.isOpen() {
		return p.broken
	}
	if uint64(metric) >= p.counts.metrics {
		return p.refuse("metric %d is not defined", metric)
	}
	p.fresh.origin.set(3, uint64(metric))
	p.fresh.origin.set(4, 1)
	return nil
}

// Duration tells the profile's length in nanoseconds, once it is known.
func (p *Profile) Duration(durationNs int64) error {
	if p.isOpen() {
		p.fresh.origin.set(6, zigzag(durationNs))
	}
	return p.broken
}

// Module adds a binary or library.
func (p *Profile) Module(info ModuleInfo) ModuleRow {
	if !p.isOpen() {
		return None
	}
	if info.MemoryLimit < info.MemoryStart {
		p.refuse("the mapping of the module %q ends before it starts", info.Path)
		return None
	}
	cells := [5]uint64{p.string(info.Path), p.string(info.BuildID), info.MemoryStart, info.MemoryLimit, info.FileOffset}
	row, isKnown := p.known.modules[cells]
	if !isKnown {
		row = next(&p.counts.modules)
		p.known.modules[cells] = row
		p.fresh.modules = append(p.fresh.modules, cells)
	}
	return ModuleRow(row)
}

// frame gives function, line and column of a place.
func (p *Profile) frame(at Inlined) [3]uint64 {
	cells := [4]uint64{p.string(at.Function), p.string(at.SystemName), p.string(at.File), uint64(at.StartLine)}
	row, isKnown := p.known.functions[cells]
	if !isKnown {
		row = next(&p.counts.functions)
		p.known.functions[cells] = row
		p.fresh.functions = append(p.fresh.functions, cells)
	}
	return [3]uint64{row, uint64(at.Line), uint64(at.Column)}
}

// Frame adds a place in code.
func (p *Profile) Frame(at Frame) FrameRow {
	if !p.isOpen() {
		return None
	}
	if at.Kind > Block {
		p.refuse("a frame has the kind %d", at.Kind)
		return None
	}
	cells := location{kind: uint64(at.Kind), address: at.Address}
	if at.Module != nil {
		if uint64(*at.Module) >= p.counts.modules {
			p.refuse("module %d is not defined", *at.Module)
			return None
		}
		cells.modulePlus1 = uint64(*at.Module) + 1
	}
	cells.instruction = p.string(at.Instruction)
	var own [4][3]uint64
	called := Inlined{at.Function, at.File, at.Line, at.Column, at.StartLine, at.SystemName}
	cells.frames = append(own[:0], p.frame(called))
	for _, inlined := range at.Inlined {
		cells.frames = append(cells.frames, p.frame(inlined))
	}
	p.startKey(cells.kind, cells.modulePlus1, cells.address, cells.instruction)
	for _, frame := range cells.frames {
		p.putKey(frame[:]...)
	}
	row, isKnown := p.known.locations[string(p.cells)]
	if !isKnown {
		row = next(&p.counts.locations)
		p.known.locations[string(p.cells)] = row
		cells.frames = append([][3]uint64(nil), cells.frames...)
		p.fresh.locations = append(p.fresh.locations, cells)
		function := cells.frames[0][0]
		if at.Function == "" && at.SystemName == "" {
			function = None
		}
		p.known.frameFunctions = append(p.known.frameFunctions, function)
	}
	return FrameRow(row)
}

// Context adds a frame called from the context parent.
func (p *Profile) Context(parent Context, frame FrameRow) Context {
	cells := [2]uint64{uint64(parent), uint64(frame)}
	if row, isKnown := p.known.contexts[cells]; isKnown && p.isOpen() {
		return Context(row)
	}
	if !p.isOpen() {
		return None
	}
	if uint64(parent) >= p.counts.contexts || uint64(frame) >= p.counts.locations {
		p.refuse("context %d or frame %d is not defined", parent, frame)
		return None
	}
	row := next(&p.counts.contexts)
	p.known.contexts[cells] = row
	p.fresh.contexts = append(p.fresh.contexts, [2]uint64{row - uint64(parent), uint64(frame)})
	return Context(row)
}

// Stack gives the context of a stack of frames, the outermost first.
func (p *Profile) Stack(frames ...FrameRow) Context {
	context := Root
	for _, frame := range frames {
		context = p.Context(context, frame)
	}
	return context
}

// Process adds a process, or a rank of a parallel program.
func (p *Profile) Process(id, name string) Process {
	if !p.isOpen() {
		return None
	}
	cells := [3]uint64{p.string(id), p.string(name)}
	row, isKnown := p.known.processes[cells]
	if !isKnown {
		row = next(&p.counts.processes)
		p.known.processes[cells] = row
		p.fresh.processes = append(p.fresh.processes, cells)
	}
	return Process(row)
}

// Thread adds a thread; the process may be nil.
func (p *Profile) Thread(id, name string, process *Process) Thread {
	if !p.isOpen() {
		return None
	}
	cells := [3]uint64{}
	if process != nil {
		if uint64(*process) >= p.counts.processes {
			p.refuse("process %d is not defined", *process)
			return None
		}
		cells[0] = uint64(*process) + 1
	}
	cells[1], cells[2] = p.string(id), p.string(name)
	row, isKnown := p.known.threads[cells]
	if !isKnown {
		row = next(&p.counts.threads)
		p.known.threads[cells] = row
		p.fresh.threads = append(p.fresh.threads, cells)
	}
	return Thread(row)
}

// Member adds one of several profiles in the file: a snapshot, a run.
func (p *Profile) Member(info MemberInfo) Member {
	if !p.isOpen() {
		return None
	}
	info.Name, info.Producer, info.Host = sound(info.Name), sound(info.Producer), sound(info.Host)
	row, isKnown := p.known.members[info]
	if !isKnown {
		row = next(&p.counts.members)
		p.known.members[info] = row
		p.fresh.members = append(p.fresh.members, info)
	}
	return Member(row)
}

// check tells what is wrong with a point.
func (p *Profile) check(point *Point) error {
	counts := &p.counts
	if uint64(point.Context) >= counts.contexts {
		return p.refuse("context %d is not defined", point.Context)
	}
	for metric := range point.Values {
		if uint64(metric) >= counts.metrics {
			return p.refuse("metric %d is not defined", metric)
		}
	}
	if point.Thread != nil && uint64(*point.Thread) >= counts.threads {
		return p.refuse("thread %d is not defined", *point.Thread)
	}
	if point.CPU != nil && *point.CPU == math.MaxUint32 {
		return p.refuse("there is no processor %d", *point.CPU)
	}
	if point.Member != nil && uint64(*point.Member) >= counts.members {
		return p.refuse("member %d is not defined", *point.Member)
	}
	isLinked := len(point.Links) == 0
	for _, link := range point.Links {
		if uint64(link.Context) >= counts.contexts {
			return p.refuse("context %d is not defined", link.Context)
		}
		isLinked = isLinked || link.Context == point.Context
	}
	if !isLinked {
		return p.refuse("a point's own context must be among its links")
	}
	return nil
}

// Point adds a monitoring point.
func (p *Profile) Point(point Point) error {
	if !p.isOpen() {
		return p.broken
	}
	if err := p.check(&point); err != nil {
		return err
	}
	block := &p.points
	for _, link := range point.Links {
		block.linkRoles = append(block.linkRoles, p.role(link.Role))
		block.linkContexts = append(block.linkContexts, uint64(link.Context))
	}
	block.linkCounts = append(block.linkCounts, uint64(len(point.Links)))
	block.labels = append(block.labels, p.labelSet(point.Labels))
	block.context = append(block.context, uint64(point.Context))
	for metric := Metric(0); uint64(metric) < p.counts.metrics; metric++ {
		block.values = append(block.values, zigzag(point.Values[metric]))
	}
	if point.TimeNs != nil {
		block.times = append(block.times, *point.TimeNs)
	}
	block.timed = append(block.timed, one(point.TimeNs != nil))
	thread, cpu, member := uint64(0), uint64(0), uint64(0)
	if point.Thread != nil {
		thread = uint64(*point.Thread) + 1
	}
	if point.CPU != nil {
		cpu = uint64(*point.CPU) + 1
	}
	if point.Member != nil {
		member = uint64(*point.Member)
	}
	block.threads = append(block.threads, thread)
	block.cpus = append(block.cpus, cpu)
	block.members = append(block.members, member)
	p.hasPoints = true
	if len(block.context) >= blockPoints {
		return p.Flush()
	}
	return nil
}

// isLink tells whether a text may be the link of a note: others lead nowhere, or run something.
func isLink(text string) bool {
	for _, start := range []string{"https://", "http://", "file://"} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}

// checkNote tells what is wrong with a note.
func (p *Profile) checkNote(note *Note) error {
	if note.Title == "" {
		return p.refuse("a note needs a title")
	}
	if note.Link != "" && !isLink(note.Link) {
		return p.refuse("%q is not a link: it begins with https://, http:// or file://", note.Link)
	}
	if uint64(note.Context) >= p.counts.contexts {
		return p.refuse("context %d is not defined", note.Context)
	}
	if note.Frame != nil {
		if uint64(*note.Frame) >= p.counts.locations {
			return p.refuse("frame %d is not defined", *note.Frame)
		}
		if p.known.frameFunctions[*note.Frame] == None {
			return p.refuse("frame %d has no function that a note could be about", *note.Frame)
		}
	}
	if (note.File != "") != (note.Line > 0) {
		return p.refuse("a note is about a line of a file: it needs both")
	}
	if one(note.Context != Root)+one(note.Frame != nil)+one(note.Line > 0) > 1 {
		return p.refuse("a note is about one place")
	}
	return nil
}

// Note says something of a place.
func (p *Profile) Note(note Note) error {
	if !p.isOpen() {
		return p.broken
	}
	if err := p.checkNote(&note); err != nil {
		return err
	}
	cells := [6]uint64{0, uint64(note.Context), uint64(note.Line)}
	if note.Frame != nil {
		cells[0], cells[1] = 1, p.known.frameFunctions[*note.Frame]
	}
	if note.Line > 0 {
		cells[0], cells[1] = 2, p.string(note.File)
	}
	cells[3], cells[4], cells[5] = p.string(note.Title), p.string(note.Text), p.string(note.Link)
	if !p.known.notes[cells] {
		p.known.notes[cells] = true
		p.fresh.notes = append(p.fresh.notes, cells)
	}
	return nil
}

// Flush writes what is known so far. A file that ends here is a sound profile.
func (p *Profile) Flush() error {
	if !p.isOpen() {
		return p.broken
	}
	var out message
	if !p.headWritten {
		out.text(1, magic)
		out.integer(2, version)
	}
	if block := p.block(); len(block) > 0 {
		out.bytes(3, block)
	}
	p.headWritten = true
	p.fresh = fresh{}
	p.points.clear()
	if len(p.known.labelSets)+len(p.known.labelStrings) > mostLabels {
		p.known.labelSets, p.known.labelStrings = map[string]uint64{}, map[string]uint64{}
	}
	if len(out) > 0 {
		if _, err := p.out.Write(out); err != nil {
			p.fail(err)
		}
	}
	return p.broken
}

// Close writes the rest and returns the first error. Later calls are refused.
func (p *Profile) Close() error {
	if p.broken == ErrClosed {
		return ErrClosed
	}
	p.Flush()
	err := p.err
	if p.closer != nil {
		if closed := p.closer.Close(); err == nil {
			err = closed
		}
	}
	p.broken = ErrClosed
	p.fresh, p.points, p.known = fresh{}, points{}, known{}
	return err
}

// next gives the number of a new row.
func next(count *uint64) uint64 {
	*count++
	return *count - 1
}

// startKey begins the key of a row with several cells.
func (p *Profile) startKey(cells ...uint64) {
	p.cells = p.cells[:0]
	p.putKey(cells...)
}

func (p *Profile) putKey(cells ...uint64) {
	for _, cell := range cells {
		p.cells = binary.LittleEndian.AppendUint64(p.cells, cell)
	}
}

// sound is a text as UTF-8.
func sound(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

// newString gives the row of a text that is not known.
func (p *Profile) newString(text string) uint64 {
	p.fresh.strings = append(p.fresh.strings, text)
	return next(&p.counts.strings)
}

func (p *Profile) string(text string) uint64 {
	if text == "" {
		return 0
	}
	text = sound(text)
	row, isKnown := p.known.strings[text]
	if !isKnown {
		if row, isKnown = p.known.labelStrings[text]; !isKnown {
			row = p.newString(text)
		}
		p.known.strings[text] = row
	}
	return row
}

func (p *Profile) labelString(text string) uint64 {
	if text == "" {
		return 0
	}
	text = sound(text)
	row, isKnown := p.known.strings[text]
	if !isKnown {
		if row, isKnown = p.known.labelStrings[text]; !isKnown {
			row = p.newString(text)
			p.known.labelStrings[text] = row
		}
	}
	return row
}

func (p *Profile) role(name string) uint64 {
	text := p.string(name)
	row, isKnown := p.known.roles[text]
	if !isKnown {
		row = next(&p.counts.roles)
		p.known.roles[text] = row
		p.fresh.roleRows = append(p.fresh.roleRows, text)
	}
	return row
}

func (p *Profile) labelSet(labels []Label) uint64 {
	if len(labels) == 0 {
		return 0
	}
	var own [8][3]uint64
	cells := own[:0]
	p.startKey()
	for _, label := range labels {
		cell := [3]uint64{p.labelString(label.Key)}
		if label.IsNumber {
			cell[1], cell[2] = p.labelString(label.Unit)+1, zigzag(label.Number)
		} else {
			cell[2] = zigzag(int64(p.labelString(label.Text)))
		}
		cells = append(cells, cell)
		p.putKey(cell[:]...)
	}
	row, isKnown := p.known.labelSets[string(p.cells)]
	if !isKnown {
		row = next(&p.counts.labelSets)
		p.known.labelSets[string(p.cells)] = row
		p.fresh.labelSets = append(p.fresh.labelSets, append([][3]uint64(nil), cells...))
	}
	return row
}

func (p *Profile) block() message {
	var out, inner message
	put := func(field uint64) {
		out.bytes(field, inner)
		inner = inner[:0]
	}
	for _, text := range p.fresh.strings {
		out.bytes(1, message(text))
	}
	if !p.headWritten || len(p.fresh.origin) > 0 {
		out.bytes(2, p.fresh.origin)
	}
	for _, metric := range p.fresh.metrics {
		inner.text(1, metric.name)
		inner.text(2, metric.unit)
		inner.integers(3, metric.decimals, metric.overContexts, metric.overTime, metric.overMembers, metric.weightPlus1)
		put(3)
	}
	for _, cells := range p.fresh.modules {
		inner.integers(1, cells[:]...)
		put(4)
	}
	if rows := p.fresh.functions; len(rows) > 0 {
		inner.integer(1, uint64(len(rows)))
		columns(&inner, 2, rows)
		put(5)
	}
	if len(p.fresh.locations) > 0 {
		inner = locations(p.fresh.locations)
		put(6)
	}
	if rows := p.fresh.contexts; len(rows) > 0 {
		inner.integer(1, uint64(len(rows)))
		columns(&inner, 2, rows)
		put(7)
	}
	if sets := p.fresh.labelSets; len(sets) > 0 {
		var counts []uint64
		var labels [][3]uint64
		for _, set := range sets {
			counts, labels = append(counts, uint64(len(set))), append(labels, set...)
		}
		inner.integer(1, uint64(len(sets)))
		inner.column(2, counts)
		columns(&inner, 3, labels)
		put(8)
	}
	for _, cells := range p.fresh.processes {
		inner.integers(1, cells[:]...)
		put(9)
	}
	for _, cells := range p.fresh.threads {
		inner.integers(1, cells[:]...)
		put(10)
	}
	for _, member := range p.fresh.members {
		inner.text(1, member.Name)
		inner.text(2, member.Producer)
		inner.text(3, member.Host)
		inner.integers(4, zigzag(member.TimeNs), zigzag(member.DurationNs))
		put(11)
	}
	if len(p.fresh.roleRows) > 0 {
		out.packed(12, p.fresh.roleRows)
	}
	if len(p.points.context) > 0 {
		inner = p.points.message(int(p.counts.metrics))
		put(13)
	}
	if rows := p.fresh.notes; len(rows) > 0 {
		inner.integer(1, uint64(len(rows)))
		columns(&inner, 2, rows)
		put(23)
	}
	return out
}

func locations(rows []location) message {
	var kinds, modules, addresses, instructions, counts, functions, lines, columns []uint64
	severalFrames, address, before := false, false, uint64(0)
	for _, row := range rows {
		kinds, modules = append(kinds, row.kind), append(modules, row.modulePlus1)
		addresses = append(addresses, zigzag(int64(row.address-before)))
		before = row.address
		address = address || row.address != 0
		instructions = append(instructions, row.instruction)
		counts = append(counts, uint64(len(row.frames)))
		severalFrames = severalFrames || len(row.frames) != 1
		for _, frame := range row.frames {
			functions = append(functions, frame[0]+1)
			lines, columns = append(lines, frame[1]), append(columns, frame[2])
		}
	}
	var out message
	out.integer(1, uint64(len(rows)))
	out.column(2, kinds)
	out.column(3, modules)
	if address {
		out.column(4, addresses)
	}
	if severalFrames {
		out.packed(6, counts)
	}
	out.column(7, functions)
	out.column(8, lines)
	out.column(9, columns)
	out.column(10, instructions)
	return out
}

func (b *points) message(metrics int) message {
	var out, inner message
	count := len(b.context)
	out.integer(1, uint64(count))
	contexts := make([]int64, count)
	for row, context := range b.context {
		contexts[row] = int64(context)
	}
	out.column(2, deltas(contexts))
	values := make([]uint64, count)
	for metric := 0; metric < metrics; metric++ {
		for row := range values {
			values[row] = b.values[row*metrics+metric]
		}
		inner = inner[:0]
		inner.column(1, values)
		out.bytes(3, inner)
	}
	out.column(4, b.labels)
	if len(b.times) > 0 {
		out.packed(5, deltas(b.times))
		if len(b.times) < len(b.timed) {
			out.packed(6, b.timed)
		}
	}
	out.column(7, b.threads)
	out.column(8, b.cpus)
	out.column(9, b.members)
	out.column(10, b.linkCounts)
	out.column(11, b.linkRoles)
	out.column(12, b.linkContexts)
	return out
}

// columns puts the columns of rows of cells, in fields whose numbers follow each other.
func columns[Row [2]uint64 | [3]uint64 | [4]uint64 | [6]uint64](to *message, first uint64, rows []Row) {
	cells := make([]uint64, len(rows))
	for cell := 0; len(rows) > 0 && cell < len(rows[0]); cell++ {
		for row := range rows {
			cells[row] = rows[row][cell]
		}
		to.column(first+uint64(cell), cells)
	}
}

func one(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}

func zigzag(value int64) uint64 { return uint64(value<<1) ^ uint64(value>>63) }

func deltas(values []int64) []uint64 {
	out, before := make([]uint64, len(values)), int64(0)
	for row, value := range values {
		out[row] = zigzag(value - before)
		before = value
	}
	return out
}

// message is a protobuf message under construction.
type message []byte

func (m *message) varint(value uint64) {
	for value >= 0x80 {
		*m = append(*m, byte(value)|0x80)
		value >>= 7
	}
	*m = append(*m, byte(value))
}

// integer puts an integer field; 0 is left out.
func (m *message) integer(field, value uint64) {
	if value != 0 {
		m.varint(field << 3)
		m.varint(value)
	}
}

func (m *message) bytes(field uint64, value message) {
	m.varint(field<<3 | 2)
	m.varint(uint64(len(value)))
	*m = append(*m, value...)
}

// set puts an integer field even if it is 0: it may replace an earlier one.
func (m *message) set(field, value uint64) {
	m.varint(field << 3)
	m.varint(value)
}

// integers puts integer fields whose numbers follow each other.
func (m *message) integers(first uint64, values ...uint64) {
	for at, value := range values {
		m.integer(first+uint64(at), value)
	}
}

// text puts a text field; the empty text is left out.
func (m *message) text(field uint64, value string) {
	if value != "" {
		m.bytes(field, message(value))
	}
}

func (m *message) packed(field uint64, values []uint64) {
	var inner message
	for _, value := range values {
		inner.varint(value)
	}
	m.bytes(field, inner)
}

// column puts a column; it is left out if every cell is 0.
func (m *message) column(field uint64, values []uint64) {
	for _, value := range values {
		if value != 0 {
			m.packed(field, values)
			return
		}
	}
}
