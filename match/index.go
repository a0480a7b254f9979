package match

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"rollcall/match/internal/letter"
)

// Watcher is a standing query.
type Watcher struct {
	// ID is unique in the index.
	ID string
	// Name is as the account wrote it.
	Name string
	// County is a slug or display name; empty for all counties.
	County string
	// Level is how sure a match must be.
	Level Level
	// Born is the zero Birth where none is known.
	Born Birth
}

// Hit is a watcher that a booking matches.
type Hit struct {
	// ID is the watcher's.
	ID string
	// Probability is that of [CompareWatched].
	Probability float64
}

// Index answers which watchers a booking matches. It is a list of immutable segments, the newest ones small. Readers
// take no lock, and a new watcher is seen by the first Match that begins after Add has returned. It is safe for
// concurrent use.
type Index struct {
	// Held by writers.
	mu sync.Mutex
	// Replaced as a whole, so that Match takes no lock.
	segments atomic.Pointer[[]*segment]
	// Unknown words of watchers, so that equal ones are shared.
	words map[string]*word
	// Folded county to uint16.
	counties sync.Map
	// Number that was given last.
	county  uint16
	scratch sync.Pool
}

// mergeLimit bounds what one Add rebuilds, so that it takes well under 250 ms; larger segments wait for
// [Index.Compact].
const mergeLimit = 16_384

// NewIndex returns an empty index.
func NewIndex() *Index {
	x := &Index{words: map[string]*word{}}
	x.segments.Store(&[]*segment{})
	x.scratch.New = func() any { return new(scratch) }
	return x
}

// Add puts watchers in. A watcher whose id is there already is replaced.
func (x *Index) Add(watchers ...Watcher) {
	if len(watchers) == 0 {
		return
	}
	watchers = lastOfEach(watchers)
	names := parseAll(watchers)
	x.mu.Lock()
	defer x.mu.Unlock()
	entries := make([]entry, len(watchers))
	for i, w := range watchers {
		x.share(names[i].readings)
		entries[i] = entry{id: w.ID, readings: names[i].readings, county: x.enterCounty(w.County), level: w.Level, born: w.Born}
	}
	old := *x.segments.Load()
	fresh := buildSegment(entries)
	segments := slices.Clone(old)
	for n := len(segments); n > 0 && segments[n-1].len() < 2*fresh.len() && segments[n-1].len()+fresh.len() <= mergeLimit; n-- {
		x.killAll(segments[n-1:n], watchers)
		fresh = buildSegment(append(segments[n-1].living(), fresh.living()...))
		segments = segments[:n-1]
	}
	x.killAll(segments, watchers)
	segments = append(segments, fresh)
	x.segments.Store(&segments)
}

// killAll removes the older versions of watchers that are about to be replaced.
func (x *Index) killAll(segments []*segment, watchers []Watcher) {
	for _, s := range segments {
		for i := range watchers {
			s.kill(watchers[i].ID)
		}
	}
}

// Remove takes a watcher out and reports whether it was there. It matches nothing from then on.
func (x *Index) Remove(id string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	removed := false
	for _, s := range *x.segments.Load() {
		removed = s.kill(id) || removed
	}
	return removed
}

// Compact merges all segments into one and drops removed watchers. Matching goes on meanwhile; Add and Remove wait.
// Call it now and then when idle: after many single additions it makes matching faster.
func (x *Index) Compact() {
	x.mu.Lock()
	defer x.mu.Unlock()
	var entries []entry
	for _, s := range *x.segments.Load() {
		entries = append(entries, s.living()...)
	}
	if len(entries) == 0 {
		x.segments.Store(&[]*segment{})
		return
	}
	x.segments.Store(&[]*segment{buildSegment(entries)})
}

// Len returns the number of watchers. It looks at each.
func (x *Index) Len() int {
	n := 0
	for _, s := range *x.segments.Load() {
		for slot := range s.len() {
			if s.alive(slotOf(slot)) {
				n++
			}
		}
	}
	return n
}

// lastOfEach returns the last watcher of each id.
func lastOfEach(watchers []Watcher) []Watcher {
	last := make(map[string]int, len(watchers))
	for i := range watchers {
		last[watchers[i].ID] = i
	}
	if len(last) == len(watchers) {
		return watchers
	}
	out := make([]Watcher, 0, len(last))
	for i := range watchers {
		if last[watchers[i].ID] == i {
			out = append(out, watchers[i])
		}
	}
	return out
}

// parseAll parses the names of watchers on all cores: a million of them take seconds.
func parseAll(watchers []Watcher) []Name {
	names := make([]Name, len(watchers))
	parts := min(runtime.GOMAXPROCS(0), 1+len(watchers)/1000)
	var wg sync.WaitGroup
	for p := range parts {
		wg.Go(func() {
			for i := p; i < len(watchers); i += parts {
				names[i] = Parse(watchers[i].Name)
			}
		})
	}
	wg.Wait()
	return names
}

// share replaces equal unknown words of watchers by one copy.
func (x *Index) share(readings []reading) {
	for i := range readings {
		r := &readings[i]
		for k := range int(r.surs) {
			r.surname[k] = x.shared(r.surname[k])
		}
		for k := range int(r.givs) {
			r.given[k] = x.shared(r.given[k])
		}
	}
}

// shared returns the one copy of a word, so that watchers of one surname share its memory.
func (x *Index) shared(w *word) *word {
	if known().Words[w.Text] == w {
		return w
	}
	key := w.Text
	if w.Apart || w.Core != w.Text {
		key += " " + w.Core
	}
	if have, ok := x.words[key]; ok {
		return have
	}
	x.words[key] = w
	return w
}

// enterCounty returns the number of a county, a new one if it has none; 0 stands for all counties.
func (x *Index) enterCounty(county string) uint16 {
	if n, ok := x.countyOf(county); ok {
		return n
	}
	x.county++
	x.counties.Store(countyKey(county), x.county)
	return x.county
}

// countyOf returns the number of a county; ok is false where no watcher names it.
func (x *Index) countyOf(county string) (uint16, bool) {
	key := countyKey(county)
	if key == "" {
		return 0, true
	}
	n, ok := x.counties.Load(key)
	if !ok {
		return 0, false
	}
	number, ok := n.(uint16)
	return number, ok
}

// countyKey returns the same key for the slug and the display name of a county.
func countyKey(county string) string { return letter.Fold(county) }
