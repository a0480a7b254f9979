package engine

import (
	"cmp"
	"context"
	"slices"

	"rollcall/models"
	"rollcall/models/history"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// rehearsal collects what a snapshot would do, for an operator who decides about a held one. A run that nobody wants to
// rehearse collects nothing.
type rehearsal struct {
	wanted bool
	snapshot.Rehearsal
	changes []altered
}

// altered is a published record with what would change of it.
type altered struct {
	id, name string
	versions []resolve.Version
}

// maxGone bounds how many closed records a rehearsal lists, maxListed how many of each other kind; the counts are whole.
const maxGone, maxListed = 1000, 200

// AddGone adds a record that the snapshot closes or hides.
func (h *rehearsal) AddGone(g snapshot.Gone) {
	if h.wanted {
		h.Gone = trim(append(h.Gone, g), maxGone, byName)
	}
}

// AddFresh adds a new record, where the public may see it.
func (h *rehearsal) AddFresh(g snapshot.Gone, v resolve.Visibility) {
	if h.wanted && v.Withheld() == models.Published {
		h.Fresh = trim(append(h.Fresh, g), maxListed, byName)
	}
}

// AddAltered adds a published record by its public id, unless only its visibility changes.
func (h *rehearsal) AddAltered(id, name string, versions []resolve.Version) {
	if !h.wanted || !slices.ContainsFunc(versions, IsFact) {
		return
	}
	h.Alters++
	h.changes = trim(append(h.changes, altered{id, name, versions}), maxListed,
		func(a, b altered) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.id, b.id)) })
}

// IsFact reports whether a version is of a fact, not of who may see it or of how its release is known.
func IsFact(v resolve.Version) bool { return v.Field != "withheld" && v.Field != "release_inferred" }

// trim keeps the first of a list by an order. It sorts only when the list has grown to four times that, so that adding stays
// cheap; the last cut is made at the end.
func trim[T any](list []T, most int, order func(a, b T) int) []T {
	if len(list) < 4*most {
		return list
	}
	slices.SortFunc(list, order)
	return list[:most]
}

// byName orders records by name, then by id.
func byName(a, b snapshot.Gone) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
}

// Newcomer notes a new record, for the key-turnover guard and a rehearsal.
func (r *Run) Newcomer(id, name, nameKey string, dob *models.Date, v resolve.Visibility) {
	if r.Present > 0 {
		r.Fresh = append(r.Fresh, NewBrief(nameKey, dob))
	}
	r.AddFresh(snapshot.Gone{ID: id, Name: name}, v)
}

// rehearse hands over what the steps before it did, and returns the error that rolls it back. A run that is no rehearsal
// goes on.
func rehearse(ctx context.Context, r *Run) (err error) {
	if r.Rehearse == nil {
		return nil
	}
	h := &r.rehearsal
	h.Applied, h.Complete = r.Applied, r.Proven.Complete
	slices.SortFunc(h.Gone, byName)
	slices.SortFunc(h.Rehearsal.Fresh, byName)
	h.Gone, h.Rehearsal.Fresh = h.Gone[:min(len(h.Gone), maxGone)], h.Rehearsal.Fresh[:min(len(h.Rehearsal.Fresh), maxListed)]
	slices.SortFunc(h.changes, func(a, b altered) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.id, b.id)) })
	for _, c := range h.changes[:min(len(h.changes), maxListed)] {
		out := snapshot.Altered{ID: c.id, Name: c.name}
		for _, v := range c.versions {
			c, shown, err := history.Present(r.Family, models.FactVersion{Field: v.Field, Before: v.Before, After: v.After})
			if err != nil {
				return err
			}
			if shown {
				out.Changes = append(out.Changes, snapshot.FactChange{Field: c.Field, Before: c.Before, After: c.After})
			}
		}
		if len(out.Changes) > 0 {
			h.Altered = append(h.Altered, out)
		}
	}
	if h.News, err = r.db.News(ctx, r.Tx, *r.batches); err != nil {
		return err
	}
	r.Rehearse(h.Rehearsal)
	return errRehearsed
}
