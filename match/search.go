package match

import (
	"cmp"
	"slices"
	"strings"

	"rollcall/match/internal/letter"
)

// Booking is what an [Index] or [Linker] is asked about.
type Booking struct {
	// Name is parsed already, as it is compared many times.
	Name Name
	// County is a slug or display name.
	County string
	// Born is the zero Birth where none is known.
	Born Birth
}

// scratch is the working memory of one Match. Scratches are pooled.
type scratch struct {
	// Keys of the booking's surname.
	hashes   []uint32
	surnames []uint32
	// Watchers to be compared in full.
	slots []uint32
}

// Match appends to hits the watchers that the booking matches at their own level, likeliest first. It returns how many
// watchers were scored. A watcher of one county matches bookings of that county only.
func (x *Index) Match(hits []Hit, b *Booking) (found []Hit, scored int) {
	county, known := x.countyOf(b.County)
	w, ok := x.scratch.Get().(*scratch)
	if !ok {
		w = new(scratch)
	}
	defer x.scratch.Put(w)
	from := len(hits)
	for _, s := range *x.segments.Load() {
		w.slots = w.slots[:0]
		for i := range b.Name.readings {
			s.candidates(w, &b.Name.readings[i])
		}
		w.slots = s.withDate(w.slots, b.Born)
		slices.Sort(w.slots)
		for _, slot := range slices.Compact(w.slots) {
			if c := s.county[slot]; c != 0 && (!known || c != county) || !s.alive(slot) {
				continue
			}
			scored++
			name := s.name(slot)
			p := CompareWatched(&name, &b.Name, s.born[slot], b.Born).Probability
			if p >= s.level[slot].Threshold() {
				hits = append(hits, Hit{ID: s.id(slot), Probability: p})
			}
		}
	}
	slices.SortFunc(hits[from:], func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Probability, a.Probability), strings.Compare(a.ID, b.ID))
	})
	return hits, scored
}

// candidates collects the slots whose surname and given name may agree with one reading of the booking. What it misses
// is never scored and never alerted, so it is wider than any level.
func (s *segment) candidates(w *scratch, r *reading) {
	if len(s.surnames) == 0 || r.prior < -6.5 {
		return
	}
	for i := range int(r.surs) {
		last := i+1 == int(r.surs)
		s.withSurname(w, r, r.surname[i], last, last && r.cut && r.surnameLast)
		if i > 0 {
			s.withSurname(w, r, known().Word(r.surname[i-1].Text+r.surname[i].Text), false, false)
		}
	}
}

// withSurname collects the slots that have one surname of the booking. last means that no other surname follows, cut
// that a column may have cut it off.
func (s *segment) withSurname(w *scratch, r *reading, surname *word, last, cut bool) {
	w.hashes = appendKeys(w.hashes[:0], surname)
	if n := len(surname.Text); cut && (n == prefixLength || n == shortestCut) {
		w.hashes = append(w.hashes, letter.Hash(surname.Text)^saltPrefix)
	}
	if surname.Wild {
		w.hashes = letter.AppendRead(w.hashes, surname.Text, saltText)
	}
	w.hashes = letter.AppendMisread(w.hashes, surname.Text, saltText)
	for _, other := range known().Sounding(surname) {
		w.hashes = append(w.hashes, letter.Hash(other.Text)^saltText)
	}
	w.surnames = w.surnames[:0]
	for _, h := range w.hashes {
		at, _ := slices.BinarySearch(s.keys, uint64(h)<<32)
		for ; at < len(s.keys) && uint32(s.keys[at]>>32) == h; at++ {
			w.surnames = append(w.surnames, uint32(s.keys[at])) //nolint:gosec // the lower half
		}
	}
	slices.Sort(w.surnames)
	for _, n := range slices.Compact(w.surnames) {
		other := s.postings.surnames[n]
		if relateSurname(surname, other, asWatched).related() || last && prefixed(surname, other) {
			s.withGiven(w, r, n)
		}
	}
}

// withGiven collects the slots of a surname's groups whose given name may agree.
func (s *segment) withGiven(w *scratch, r *reading, surname uint32) {
	from := uint32(0)
	if surname > 0 {
		from = s.groupEnd[surname-1]
	}
	for g := from; g < s.groupEnd[surname]; g++ {
		start := uint32(0)
		if g > 0 {
			start = s.slotEnd[g-1]
		}
		slots := s.slots[start:s.slotEnd[g]]
		switch {
		case mayBeGiven(r, s.givens[g]):
			w.slots = append(w.slots, slots...)
		case s.givens[g] == nil:
			w.slots = appendIf(w.slots, slots, s.narrowed)
		}
	}
}

// appendIf appends the slots for which ok holds.
func appendIf(dst, slots []uint32, ok func(slot uint32) bool) []uint32 {
	for _, slot := range slots {
		if ok(slot) {
			dst = append(dst, slot)
		}
	}
	return dst
}

// mayBeGiven reports whether a given name may be one of the reading's.
func mayBeGiven(r *reading, given *word) bool {
	if given == nil || r.givs == 0 {
		return given == nil && r.givs == 0
	}
	for i := range min(int(r.givs), 2) {
		g := r.given[i]
		if g == given || i > 0 && g.Initial() {
			if g == given {
				return true
			}
			continue
		}
		if prefixed(g, given) || relateGiven(g, given, asWatched).related() {
			return true
		}
	}
	return false
}
