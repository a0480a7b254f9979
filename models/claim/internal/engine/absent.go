package engine

import (
	"context"
	"slices"
	"strings"
	"time"

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
	// records are the records that those keys lead to; a source may list them under another key as well.
	records map[int64]bool
	// names are the names in such rows, by their first words.
	names map[string][]string
}

// Absences notes which claims a complete snapshot lacks, and writes them. Only two facts count: when a claim was last seen,
// and which complete snapshots of its source are later. So snapshots may arrive in any order, and twice.
//
// whose returns the name in a claim. stillSame is how much later a byte-for-byte copy of the snapshot before must come to
// confirm an absence; 0 means that a copy never does. A snapshot that is not complete, or whose absences mean nothing,
// changes nothing.
func Absences[F any](ctx context.Context, r *Run, whose func(*F) string, stillSame time.Duration) error {
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
		if err := missing(ctx, r, some, exempt, whose, stillSame); err != nil {
			return err
		}
	}
	return nil
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

// missing notes the absences of some claims, Chunk at most. An exempt claim that had missed a snapshot counts as listed again.
func missing[F any](ctx context.Context, r *Run, absent []Absentee, exempt *Exemption, whose func(*F) string, stillSame time.Duration) error {
	keys := make([]string, len(absent))
	for i, a := range absent {
		keys[i] = a.Key
	}
	claims, err := ClaimsByKey[F](ctx, r.Session, r.SourceID, keys)
	if err != nil {
		return err
	}
	var write []*resolve.Claim[F]
	for _, a := range absent {
		c := claims[a.Key]
		last := c.LastSeen()
		switch {
		case exempt.Keys[c.Key] || exempt.Named(whose(&c.Facts)):
			if !c.Present || c.Misses == 0 {
				continue
			}
			c.Misses, c.MissingSince = 0, nil
		case exempt.records[c.Record] || !last.Before(r.At):
			continue
		default:
			before, first := c.Head, c.Misses == 0
			c.SaidAt = last // unchanged rows were not written
			c.Miss(last, stillSame)
			if before.Misses == c.Misses && before.SaidAt.Equal(last) { // the same snapshot again
				continue
			}
			if first && c.Misses > 0 && c.Present {
				r.Impact.Marked++
			}
		}
		write = append(write, c)
		r.Touch(c.Record)
	}
	return WriteClaims(ctx, r.Session, nil, write)
}

// Exemption gathers whom unreadable and refused rows speak of, with the records of their keys.
func (r *Run) Exemption(ctx context.Context) (*Exemption, error) {
	s := r.Exempt()
	s = snapshot.Exempt{Keys: slices.Concat(s.Keys, r.refused.Keys), Names: slices.Concat(s.Names, r.refused.Names)}
	e := &Exemption{Keys: map[string]bool{}, records: map[int64]bool{}, names: map[string][]string{}}
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
		e.records[record] = true
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
