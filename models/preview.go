package models

import (
	"strconv"

	"rollcall/match"
)

// Preview is what an alert that is not stored yet would have found among bookings. Every interface previews alerts by it.
type Preview struct {
	// Seen are the bookings that were looked at, and Stated those of them that state a birth.
	Seen, Stated int
	// Count is how many match.
	Count int
	// Newest are the first of them, in the order in which they were seen.
	Newest []*Hit

	most    int
	index   *match.Index
	name    match.Name
	born    match.Birth
	people  map[string]bool
	matches []match.Hit
}

// NewPreview compares through the index and the level of the notifier, so it finds exactly what the alert would have reported. It keeps
// at most most hits.
func NewPreview(w *Watcher, most int) (*Preview, error) {
	watcher, err := w.Compared("preview")
	if err != nil {
		return nil, err
	}
	f := &Preview{
		most: most, index: match.NewIndex(), name: match.ParseWatched(w.Name, w.County != nil), born: watcher.Born, people: map[string]bool{},
		Newest: []*Hit{},
	}
	f.index.Add(watcher)
	return f, nil
}

// People counts the different people among the matches: by birth, or by name where no birth is stated.
func (f *Preview) People() int { return len(f.people) }

// See looks at a booking; it returns true, for more.
func (f *Preview) See(p *BookedPerson) bool {
	b := p.Compared()
	if f.Seen++; b.Born.Year != 0 {
		f.Stated++
	}
	if f.matches, _ = f.index.Match(f.matches[:0], &b); len(f.matches) == 0 {
		return true
	}
	f.people[whoIs(p)] = true
	if f.Count++; f.Count <= f.most {
		f.Newest = append(f.Newest, &Hit{
			ID: "preview_" + strconv.Itoa(f.Count), RID: p.RID, Probability: f.matches[0].Probability, At: p.BookedAt.UTC(),
			Reasons: match.ExplainWatched(&f.name, &b.Name, f.born, b.Born), State: HitUnread,
		})
	}
	return true
}

// whoIs returns a key that separates people whose names are alike. Different births are different people. Without a birth, different
// names may be.
func whoIs(p *BookedPerson) string {
	switch {
	case p.Dob != nil:
		return p.Dob.String()
	case p.BirthYear != nil:
		return strconv.Itoa(*p.BirthYear)
	}
	return match.Fold(p.Name)
}
