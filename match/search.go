package match

import (
	"cmp"
	"slices"
	"strings"

	"rollcall/match/internal/birth"
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
	// Kin of the booking's rare given names in the segment that is being searched, and how many of them are in use.
	kins    []*kin
	kinUsed int
	// What the booking states of the birth.
	born Birth
	// Kin of the first two given names of the reading that is being looked for; nil for none.
	kin [2]*kin
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
	w.born = b.Born
	for _, s := range *x.segments.Load() {
		w.begin()
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
			if p >= s.level[slot].From(&name) {
				hits = append(hits, Hit{ID: s.id(slot), Probability: p})
			}
		}
	}
	slices.SortFunc(hits[from:], func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Probability, a.Probability), strings.Compare(a.ID, b.ID))
	})
	return hits, scored
}

// begin makes a scratch ready for the next segment.
func (w *scratch) begin() { w.slots, w.kinUsed = w.slots[:0], 0 }

// candidates collects the slots whose surname and given name may agree with one reading of the booking. What it misses
// is never scored and never alerted, so it is wider than any level.
func (s *segment) candidates(w *scratch, r *reading) {
	if len(s.surnames) == 0 || r.prior < -6.5 {
		return
	}
	w.kin = [2]*kin{}
	for i := range min(int(r.givs), len(w.kin)) {
		if i == 0 || !r.given[i].Initial() {
			w.kin[i] = w.kinOf(r.given[i], s)
		}
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
		w.surnames = s.withKey(w.surnames, h)
	}
	slices.Sort(w.surnames)
	for _, n := range slices.Compact(w.surnames) {
		other := s.postings.surnames[n]
		if relateSurname(surname, other, asWatched).related() || last && prefixed(surname, other) {
			s.withGiven(w, r, n)
		}
	}
}

// withGiven collects the slots of a surname's groups whose given name may agree. A birth date with one part off makes up for
// another given name, so it is looked for among all who have the surname; an equal one has keys of its own (withDate).
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
		switch given := s.groupGiven[g]; {
		case s.mayBeGiven(w, r, given):
			w.slots = append(w.slots, slots...)
		case given == 0:
			w.slots = appendIf(w.slots, slots, s.narrowed)
		case w.born.Dated() && len(s.dates) > 0:
			w.slots = appendIf(w.slots, slots, func(slot uint32) bool { return birth.Relate(s.born[slot], w.born) == birth.OnePart })
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

// mayBeGiven reports whether a given name of the segment, 0 for none, may be one of the reading's first two.
func (s *segment) mayBeGiven(w *scratch, r *reading, given uint32) bool {
	if given == 0 || r.givs == 0 {
		return given == 0 && r.givs == 0
	}
	if w.kin[0].has(given, s.givens) {
		return true
	}
	if w.kin[1] != nil {
		return w.kin[1].has(given, s.givens)
	}
	return r.givs > 1 && r.given[1] == s.givens[given]
}
