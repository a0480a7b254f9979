package engine

import (
	"context"
	"slices"
	"strings"

	"rollcall/match"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// Absentee is a claim that a complete snapshot lacks.
type Absentee struct {
	Key string // of the claim
	// Record is the key of the claim's record; 0 while the claim is pending.
	Record int64
}

// Exemption lists the people of whom rows may speak that could not be taken: unreadable ones, and those that the identity
// guard refused. Nobody among them counts as absent, for a row that cannot be read is no sign of a release.
type Exemption struct {
	// Keys are the keys of such rows.
	Keys map[string]bool
	// Records are the records that those keys lead to. A source may list them under another key as well.
	Records map[int64]bool
	// names are the names in such rows, by their first words.
	names map[string][]string
}

// Absences calls miss with the claims that a complete snapshot lacks, Chunk at most at once. A snapshot that is not complete, or
// whose absences mean nothing, lacks none.
func (r *Run) Absences(ctx context.Context, miss func(context.Context, []Absentee, *Exemption) error) error {
	if !r.Tracks || !r.Proven.Complete {
		return nil
	}
	absent, err := r.Absentees(ctx)
	if err != nil || len(absent) == 0 {
		return err
	}
	exempt, err := r.Exemption(ctx)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(absent, Chunk) {
		if err := miss(ctx, some, exempt); err != nil {
			return err
		}
	}
	return nil
}

// Miss counts anew which complete snapshots lack a claim that the run's snapshot lacks, and reports whether the claim became
// another. A person of whom a row may speak that could not be taken counts as seen. Only two facts count: when a claim was last
// seen, and which complete snapshots of its source are later. So snapshots may arrive in any order, and twice.
func (r *Run) Miss(h *resolve.Head, name string, exempt *Exemption) bool {
	at, last := resolve.Instant(r.At), h.LastSeen()
	switch {
	case !last.Before(at): // a newer snapshot listed the claim: this one is late
		return false
	case exempt.Keys[h.Key] || exempt.Named(name):
		if !h.Present {
			return false
		}
		last = at
	case exempt.Records[h.Record]:
		return false
	}
	h.SaidAt = last // unchanged rows were not written
	h.Recount(last)
	return true
}

// Absentees lists the claims of the source that the staged rows lack, in the order of their keys. Claims that are absent
// already are among them only where this snapshot is older than their first absence.
func (r *Run) Absentees(ctx context.Context) (list []Absentee, err error) {
	var a Absentee
	var record *int64
	err = r.Each(ctx, "absent_keys", Args{"source": r.SourceID, "at": r.At}, []any{&a.Key, &record}, func() error {
		if a.Record = 0; record != nil {
			a.Record = *record
		}
		list = append(list, a)
		return nil
	})
	return list, err
}

// Exemption gathers whom unreadable and refused rows speak of, with the records of their keys.
func (r *Run) Exemption(ctx context.Context) (*Exemption, error) {
	s := r.Exempt()
	s = snapshot.Exempt{Keys: slices.Concat(s.Keys, r.refused.Keys), Names: slices.Concat(s.Names, r.refused.Names)}
	e := &Exemption{Keys: map[string]bool{}, Records: map[int64]bool{}, names: map[string][]string{}}
	for _, key := range s.Keys {
		e.Keys[key] = true
	}
	for _, name := range s.Names {
		word := firstWord(name)
		e.names[word] = append(e.names[word], name)
	}
	if len(s.Keys) == 0 {
		return e, nil
	}
	var record int64
	return e, r.Each(ctx, "records_of_keys", Args{"source": r.SourceID, "keys": s.Keys}, []any{&record}, func() error {
		e.Records[record] = true
		return nil
	})
}

// Named reports whether a row that could not be taken may speak of a person of this name, written alike.
func (e *Exemption) Named(name string) bool {
	return slices.ContainsFunc(e.names[firstWord(name)], func(other string) bool {
		return resolve.Same(snapshot.Identity{Name: name}, snapshot.Identity{Name: other})
	})
}

// firstWord is the part of a name under which an Exemption keeps it, so that few names are compared in full.
func firstWord(name string) string {
	word, _, _ := strings.Cut(match.SearchKey(name), " ")
	return word
}

// Touch notes that a record must be resolved anew. 0 stands for no record and is left out.
func (r *Run) Touch(record int64) {
	if record != 0 {
		r.Touched = append(r.Touched, record)
	}
}
