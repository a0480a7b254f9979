package claim

import (
	"cmp"
	"context"
	"slices"

	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// rehearsal collects what a snapshot would do, where somebody wants to know.
type rehearsal struct {
	wanted bool
	snapshot.Rehearsal
	changes []altered
}

// altered is a published record with what would become another of it.
type altered struct {
	id, name string
	versions []resolve.Version
}

// maxGone bounds how many closed records a rehearsal lists, maxListed how many of each other kind; the counts are whole.
const maxGone, maxListed = 1000, 200

// addGone notes a record that the snapshot closes or hides.
func (h *rehearsal) addGone(g snapshot.Gone) {
	if h.wanted {
		h.Gone = trim(append(h.Gone, g), maxGone, byName)
	}
}

// addFresh notes a new record, where the public may see it.
func (h *rehearsal) addFresh(g snapshot.Gone, v resolve.Visibility) {
	if h.wanted && v.Withheld() == models.Published {
		h.Fresh = trim(append(h.Fresh, g), maxListed, byName)
	}
}

// addAltered notes a record of which published facts would become others.
func (h *rehearsal) addAltered(id, name string, versions []resolve.Version) {
	if !h.wanted || !slices.ContainsFunc(versions, isFact) {
		return
	}
	h.Alters++
	h.changes = trim(append(h.changes, altered{id, name, versions}), maxListed, func(a, b altered) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.id, b.id)) })
}

// isFact reports whether a version is of a fact, not of who may see it or of how its release is known.
func isFact(v resolve.Version) bool { return v.Field != "withheld" && v.Field != "release_inferred" }

// trim keeps the first of a list by an order, now and then.
func trim[T any](list []T, most int, order func(a, b T) int) []T {
	if len(list) < 4*most {
		return list
	}
	slices.SortFunc(list, order)
	return list[:most]
}

func byName(a, b snapshot.Gone) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
}

// newcomer notes a new record, for the key-turnover guard and a rehearsal.
func (r *run) newcomer(id, name, nameKey string, dob *models.Date, v resolve.Visibility) {
	if r.present > 0 {
		r.fresh = append(r.fresh, newBrief(nameKey, dob))
	}
	r.addFresh(snapshot.Gone{ID: id, Name: name}, v)
}

// rehearse tells what was done, and then undoes it by its error.
func rehearse(_ context.Context, r *run) error {
	if r.Rehearse == nil {
		return nil
	}
	h := &r.rehearsal
	h.Applied, h.Complete = r.applied, r.verdict.Complete
	slices.SortFunc(h.Gone, byName)
	slices.SortFunc(h.Rehearsal.Fresh, byName)
	h.Gone, h.Rehearsal.Fresh = h.Gone[:min(len(h.Gone), maxGone)], h.Rehearsal.Fresh[:min(len(h.Rehearsal.Fresh), maxListed)]
	slices.SortFunc(h.changes, func(a, b altered) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.id, b.id)) })
	for _, c := range h.changes[:min(len(h.changes), maxListed)] {
		out := snapshot.Altered{ID: c.id, Name: c.name}
		for _, v := range c.versions {
			c, shown, err := models.Present(r.family, models.FactVersion{Field: v.Field, Before: v.Before, After: v.After})
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
	r.Rehearse(h.Rehearsal)
	return errRehearsed
}
