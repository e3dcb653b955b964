// Package hotframe writes Hotframe's exchange file: profiles that `hotframe open` shows.
//
//	profile, err := hotframe.Create("run.hotframe", hotframe.Origin{Producer: "my profiler 1.0"})
//	time := profile.Metric("time", "nanoseconds", 0)
//	main := profile.Context(hotframe.Root, profile.Frame(hotframe.Frame{Function: "main", File: "main.go", Line: 3}))
//	profile.Point(hotframe.Point{Context: main, Values: map[hotframe.Metric]int64{time: 1200}})
//	err = profile.Close()
//
// Rows are written block by block: what is held in memory are the tables that name things, never
// the points. The format is schema/profile.proto; the package needs nothing but the standard
// library. A Profile must not be used by several goroutines at once.
package hotframe

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

const (
	magic   = "hotframe profile"
	version = 1
	// blockPoints is how many points stand in one block.
	blockPoints = 4096
)

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

// Root is the whole programme: the parent of the first frame of a stack.
const Root Context = 0

// Kind is what a frame is.
type Kind uint64

// The kinds of frames.
const (
	Code   Kind = iota // Code of a function.
	Loop               // A loop of the function around it.
	Data               // A variable, or the memory that its parent context allocated.
	Region             // A phase, an annotation, an event.
)

// Origin is where a profile comes from. Times count nanoseconds, TimeNs from 1970.
type Origin struct {
	Producer           string
	TimeNs, DurationNs int64
	Comments           []string
}

// Frame is a place in code; what is unknown is empty or 0.
type Frame struct {
	Function, File          string
	Line, Column, StartLine uint64
	Module                  *ModuleRow
	Address                 uint64
	Kind                    Kind
	// Inlined are functions that the compiler put there, the outermost first.
	Inlined []Inlined
}

// Inlined is a function that was inlined.
type Inlined struct {
	Function, File string
	Line           uint64
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

// Point is a monitoring point: values by metric, measured in a context. TimeNs counts from the
// start of the profile. If there are links, the point's own context must be among them.
type Point struct {
	Context Context
	Values  map[Metric]int64
	Labels  []Label
	TimeNs  *int64
	Thread  *Thread
	CPU     *uint64
	Member  Member
	Links   []Link
}

// Profile is a profile under construction.
type Profile struct {
	out         *bufio.Writer
	closer      io.Closer
	origin      Origin
	err         error
	headWritten bool
	rows        map[string]map[string]uint64
	metrics     int
	fresh       fresh
	points      points
}

// fresh are rows that are not written yet.
type fresh struct {
	strings                       []string
	roleRows                      []uint64
	metrics                       []metricRow
	modules, functions, processes [][3]uint64
	threads                       [][3]uint64
	locations                     []location
	contexts                      [][2]uint64
	labelSets                     [][][3]uint64
	members                       []memberRow
}

type metricRow struct {
	name, unit string
	decimals   uint64
}

type memberRow struct {
	name               string
	timeNs, durationNs int64
}

type location struct {
	kind, modulePlus1, address uint64
	frames                     [][3]uint64
}

// points are the points of a block, as columns.
type points struct {
	context, labels, threads, cpus, members, linkCounts, linkRoles, linkContexts []uint64
	values                                                                       [][]uint64
	times                                                                        []int64
	timed                                                                        []uint64
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
	return &Profile{out: bufio.NewWriter(out), origin: origin, rows: map[string]map[string]uint64{}}
}

// Err is the first error, if there was one; Close returns it too.
func (p *Profile) Err() error { return p.err }

func (p *Profile) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// Metric adds a metric. Values count 10^-decimals of the unit. All must come before the first point.
func (p *Profile) Metric(name, unit string, decimals uint8) Metric {
	row, isNew := p.row("metric", fmt.Sprint(len(name), name, unit, decimals), 0)
	if isNew {
		if p.headWritten {
			p.fail(fmt.Errorf("hotframe: the metric %q comes after the first points were written", name))
		}
		p.fresh.metrics = append(p.fresh.metrics, metricRow{name, unit, uint64(decimals)})
		p.metrics++
	}
	return Metric(row)
}

// Module adds a binary or library.
func (p *Profile) Module(path, buildID string) ModuleRow {
	cells := [3]uint64{p.string(path), p.string(buildID)}
	row, isNew := p.row("module", fmt.Sprint(cells), 0)
	if isNew {
		p.fresh.modules = append(p.fresh.modules, cells)
	}
	return ModuleRow(row)
}

func (p *Profile) function(name, file string, startLine uint64) uint64 {
	cells := [3]uint64{p.string(name), p.string(file), startLine}
	row, isNew := p.row("function", fmt.Sprint(cells), 0)
	if isNew {
		p.fresh.functions = append(p.fresh.functions, cells)
	}
	return row
}

// Frame adds a place in code.
func (p *Profile) Frame(frame Frame) FrameRow {
	frames := [][3]uint64{{p.function(frame.Function, frame.File, frame.StartLine), frame.Line, frame.Column}}
	for _, inlined := range frame.Inlined {
		frames = append(frames, [3]uint64{p.function(inlined.Function, inlined.File, 0), inlined.Line, 0})
	}
	cells := location{uint64(frame.Kind), 0, frame.Address, frames}
	if frame.Module != nil {
		cells.modulePlus1 = uint64(*frame.Module) + 1
	}
	row, isNew := p.row("location", fmt.Sprint(cells), 0)
	if isNew {
		p.fresh.locations = append(p.fresh.locations, cells)
	}
	return FrameRow(row)
}

// Context adds a frame called from the context parent.
func (p *Profile) Context(parent Context, frame FrameRow) Context {
	row, isNew := p.row("context", fmt.Sprint(parent, frame), 1)
	if isNew {
		p.fresh.contexts = append(p.fresh.contexts, [2]uint64{row - uint64(parent), uint64(frame)})
	}
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

// Process adds a process, or a rank of a parallel programme.
func (p *Profile) Process(id, name string) Process {
	cells := [3]uint64{p.string(id), p.string(name)}
	row, isNew := p.row("process", fmt.Sprint(cells), 0)
	if isNew {
		p.fresh.processes = append(p.fresh.processes, cells)
	}
	return Process(row)
}

// Thread adds a thread; the process may be nil.
func (p *Profile) Thread(id, name string, process *Process) Thread {
	cells := [3]uint64{0, p.string(id), p.string(name)}
	if process != nil {
		cells[0] = uint64(*process) + 1
	}
	row, isNew := p.row("thread", fmt.Sprint(cells), 0)
	if isNew {
		p.fresh.threads = append(p.fresh.threads, cells)
	}
	return Thread(row)
}

// Member adds one of several profiles in the file: a snapshot, a run.
func (p *Profile) Member(name string, timeNs, durationNs int64) Member {
	row, isNew := p.row("member", fmt.Sprint(len(name), name, timeNs, durationNs), 0)
	if isNew {
		p.fresh.members = append(p.fresh.members, memberRow{name, timeNs, durationNs})
	}
	return Member(row)
}

// Point adds a monitoring point.
func (p *Profile) Point(point Point) error {
	isLinked := len(point.Links) == 0
	for _, link := range point.Links {
		isLinked = isLinked || link.Context == point.Context
	}
	if !isLinked {
		err := errors.New("hotframe: a point's own context must be among its links")
		p.fail(err)
		return err
	}
	values := make([]uint64, p.metrics)
	for metric, value := range point.Values {
		if int(metric) >= p.metrics {
			err := fmt.Errorf("hotframe: metric %d is not defined", metric)
			p.fail(err)
			return err
		}
		values[metric] = zigzag(value)
	}
	block := &p.points
	for _, link := range point.Links {
		block.linkRoles = append(block.linkRoles, p.role(link.Role))
		block.linkContexts = append(block.linkContexts, uint64(link.Context))
	}
	block.linkCounts = append(block.linkCounts, uint64(len(point.Links)))
	block.labels = append(block.labels, p.labelSet(point.Labels))
	block.context = append(block.context, uint64(point.Context))
	block.values = append(block.values, values)
	if point.TimeNs != nil {
		block.times = append(block.times, *point.TimeNs)
	}
	block.timed = append(block.timed, one(point.TimeNs != nil))
	thread, cpu := uint64(0), uint64(0)
	if point.Thread != nil {
		thread = uint64(*point.Thread) + 1
	}
	if point.CPU != nil {
		cpu = *point.CPU + 1
	}
	block.threads = append(block.threads, thread)
	block.cpus = append(block.cpus, cpu)
	block.members = append(block.members, uint64(point.Member))
	if len(block.context) >= blockPoints {
		return p.Flush()
	}
	return p.err
}

// Flush writes what is known so far. A file that ends here is a sound profile.
func (p *Profile) Flush() error {
	if p.err != nil {
		return p.err
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
	p.fresh, p.points = fresh{}, points{}
	if _, err := p.out.Write(out); err != nil {
		p.fail(err)
	}
	if err := p.out.Flush(); err != nil {
		p.fail(err)
	}
	return p.err
}

// Close writes the rest.
func (p *Profile) Close() error {
	err := p.Flush()
	if p.closer != nil {
		if closed := p.closer.Close(); err == nil {
			err = closed
		}
	}
	return err
}

func (p *Profile) row(table, key string, first uint64) (uint64, bool) {
	rows := p.rows[table]
	if rows == nil {
		rows = map[string]uint64{}
		p.rows[table] = rows
	}
	if row, known := rows[key]; known {
		return row, false
	}
	row := uint64(len(rows)) + first
	rows[key] = row
	return row, true
}

func (p *Profile) string(text string) uint64 {
	if text == "" {
		return 0
	}
	row, isNew := p.row("string", text, 1)
	if isNew {
		p.fresh.strings = append(p.fresh.strings, text)
	}
	return row
}

func (p *Profile) role(name string) uint64 {
	text := p.string(name)
	row, isNew := p.row("role", name, 0)
	if isNew {
		p.fresh.roleRows = append(p.fresh.roleRows, text)
	}
	return row
}

func (p *Profile) labelSet(labels []Label) uint64 {
	if len(labels) == 0 {
		return 0
	}
	cells := make([][3]uint64, 0, len(labels))
	for _, label := range labels {
		key := p.string(label.Key)
		if label.IsNumber {
			cells = append(cells, [3]uint64{key, p.string(label.Unit) + 1, zigzag(label.Number)})
		} else {
			cells = append(cells, [3]uint64{key, 0, zigzag(int64(p.string(label.Text)))})
		}
	}
	row, isNew := p.row("labels", fmt.Sprint(cells), 1)
	if isNew {
		p.fresh.labelSets = append(p.fresh.labelSets, cells)
	}
	return row
}

func (p *Profile) block() message {
	var out, inner message
	put := func(field uint64) {
		out.bytes(field, inner)
		inner = nil
	}
	for _, text := range p.fresh.strings {
		out.bytes(1, message(text))
	}
	if !p.headWritten {
		inner.text(2, p.origin.Producer)
		inner.integer(5, zigzag(p.origin.TimeNs))
		inner.integer(6, zigzag(p.origin.DurationNs))
		for _, comment := range p.origin.Comments {
			inner.text(13, comment)
		}
		put(2)
	}
	for _, metric := range p.fresh.metrics {
		inner.text(1, metric.name)
		inner.text(2, metric.unit)
		inner.integer(3, metric.decimals)
		put(3)
	}
	for _, cells := range p.fresh.modules {
		inner.integer(1, cells[0])
		inner.integer(2, cells[1])
		put(4)
	}
	if rows := p.fresh.functions; len(rows) > 0 {
		inner.integer(1, uint64(len(rows)))
		inner.column(2, cellsOf(rows, 0))
		inner.column(4, cellsOf(rows, 1))
		inner.column(5, cellsOf(rows, 2))
		put(5)
	}
	if len(p.fresh.locations) > 0 {
		inner = locations(p.fresh.locations)
		put(6)
	}
	if rows := p.fresh.contexts; len(rows) > 0 {
		var distances, frames []uint64
		for _, row := range rows {
			distances, frames = append(distances, row[0]), append(frames, row[1])
		}
		inner.integer(1, uint64(len(rows)))
		inner.column(2, distances)
		inner.column(3, frames)
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
		for cell := uint64(0); cell < 3; cell++ {
			inner.column(3+cell, cellsOf(labels, cell))
		}
		put(8)
	}
	for _, cells := range p.fresh.processes {
		inner.integer(1, cells[0])
		inner.integer(2, cells[1])
		put(9)
	}
	for _, cells := range p.fresh.threads {
		inner.integer(1, cells[0])
		inner.integer(2, cells[1])
		inner.integer(3, cells[2])
		put(10)
	}
	for _, member := range p.fresh.members {
		inner.text(1, member.name)
		inner.integer(4, zigzag(member.timeNs))
		inner.integer(5, zigzag(member.durationNs))
		put(11)
	}
	if len(p.fresh.roleRows) > 0 {
		out.packed(12, p.fresh.roleRows)
	}
	if len(p.points.context) > 0 {
		inner = p.points.message(p.metrics)
		put(13)
	}
	return out
}

func locations(rows []location) message {
	var kinds, modules, addresses, counts, functions, lines, columns []uint64
	severalFrames, address, before := false, false, uint64(0)
	for _, row := range rows {
		kinds, modules = append(kinds, row.kind), append(modules, row.modulePlus1)
		addresses = append(addresses, zigzag(int64(row.address-before)))
		before = row.address
		address = address || row.address != 0
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
	return out
}

func (b *points) message(metrics int) message {
	var out, inner message
	out.integer(1, uint64(len(b.context)))
	contexts := make([]int64, len(b.context))
	for row, context := range b.context {
		contexts[row] = int64(context)
	}
	out.column(2, deltas(contexts))
	for metric := 0; metric < metrics; metric++ {
		values := make([]uint64, len(b.values))
		for row := range values {
			// Metrics may be added until the first block is written.
			if metric < len(b.values[row]) {
				values[row] = b.values[row][metric]
			}
		}
		inner.column(1, values)
		out.bytes(3, inner)
		inner = nil
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

func cellsOf(rows [][3]uint64, cell uint64) []uint64 {
	cells := make([]uint64, len(rows))
	for row := range rows {
		cells[row] = rows[row][cell]
	}
	return cells
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
