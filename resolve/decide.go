package resolve

import (
	"cmp"
	"slices"
	"time"

	"rollcall/models"
)

// DecisionKind is what an operator decided about a record.
type DecisionKind string

// The decisions about visibility. Merges are decisions too, but of identity: they move claims.
const (
	Publish  DecisionKind = "publish"
	Withhold DecisionKind = "withhold"
)

// Decision is an operator's decision about a record which has not been replaced by another.
type Decision struct {
	ID      int64                 // its key in the tables
	Kind    DecisionKind          // what was decided
	Reason  models.WithheldReason // the ground that it is about
	Because *Ref                  // the record that the ground was about; nil: none
	At      time.Time             // when it was decided
}

// Grounds is everything that speaks against publishing a record.
type Grounds struct {
	Own        models.WithheldReason // what the claims say of the age by themselves: juvenile, maybe juvenile or nothing
	Restricted bool                  // a claim says that the record is restricted
	Ended      bool                  // a claim said so, and names the person again since
	Vanished   bool                  // complete files lack it, and nothing says that it ended
	Causes     []Cause               // records on whose account it is withheld
}

// Decide decides whether a record may be published. The first of these holds: a juvenile, a restriction by a
// source or an operator, what an operator keeps withheld, a vanished record, a restriction that ended, the doubt of its own
// claims, a cause in another record. But such a doubt goes before a restriction, as a juvenile does: others are withheld on its
// account. An operator may publish a record on each of the last four grounds, and takes back their own restriction; it is
// withheld until no ground is left that nobody reviewed. A decision counts only when it was made since its ground began: a record that vanishes
// again, or whose cause is withheld for more than before, is reviewed again.
//
// before is the outcome of the last time; now is when a ground that is new begins. spent are the decisions to publish
// whose grounds hold no more; what comes after them is reviewed anew.
func Decide(g Grounds, decisions []Decision, before Visibility, now time.Time) (v Visibility, spent []int64) {
	counting := map[int64]bool{}
	v = g.decide(decisions, before, now, counting)
	for _, d := range decisions {
		if d.Kind == Publish && !counting[d.ID] {
			spent = append(spent, d.ID)
		}
	}
	return v, spent
}

// decide is Decide, and notes in counting the decisions to publish that count.
func (g *Grounds) decide(decisions []Decision, before Visibility, now time.Time, counting map[int64]bool) Visibility {
	begun := func(v Visibility) Visibility {
		if v.Since = now; v.Same(before) && !before.Since.IsZero() {
			v.Since = before.Since
		}
		return v
	}
	if g.Own == models.WithheldJuvenile { // which no operator may lift
		return begun(Visibility{Reason: g.Own})
	}
	restricted := g.Restricted || slices.ContainsFunc(decisions, func(d Decision) bool {
		return d.Kind == Withhold && d.Reason == models.WithheldRestricted
	})
	if kept := newestOf(decisions, Withhold); kept != nil && !restricted {
		return begun(Visibility{Reason: kept.Reason, Because: kept.Because})
	}
	var first, lifted *Visibility
	for _, ground := range g.reviewable() {
		v := begun(ground.Visibility)
		by := ground.lifted(v, decisions, before, counting)
		if v.Lifted = by != nil; !v.Lifted {
			if !restricted || v.Same(Visibility{Reason: models.WithheldMaybeJuvenile}) {
				first = cmp.Or(first, &v)
			}
			continue
		}
		if v.Since.After(by.At) { // it held when it was lifted, or there was nothing to lift
			v.Since = by.At
		}
		if lifted == nil || v.Same(before) {
			lifted = &v // the ground that it was stored with stays the one that is remembered
		}
	}
	switch {
	case first != nil:
		return *first
	case restricted:
		return begun(Visibility{Reason: models.WithheldRestricted})
	case lifted != nil:
		return *lifted
	default:
		return Visibility{}
	}
}

// reviewable is a ground on which an operator may publish a record in spite of it.
type reviewable struct {
	Visibility
	// asked is from when the ground is as it is: what was decided before was about less.
	asked time.Time
}

// reviewable lists the grounds that an operator may lift, in their order.
func (g *Grounds) reviewable() (list []reviewable) {
	if g.Vanished {
		list = append(list, reviewable{Visibility: Visibility{Reason: models.WithheldVanished}})
	}
	if g.Ended && !g.Restricted {
		list = append(list, reviewable{Visibility: Visibility{Reason: models.WithheldMaybeRestricted}})
	}
	if g.Own != models.Published {
		list = append(list, reviewable{Visibility: Visibility{Reason: g.Own}})
	}
	for _, c := range g.Causes {
		of := c.Of
		list = append(list, reviewable{Visibility{Reason: models.WithheldMaybeJuvenile, Because: &of}, c.Since})
	}
	return list
}

// lifted returns the newest decision by which an operator published the record on this very ground since it began; nil: none
// did. A ground besides the one that the record was stored with holds since its decision, which ends with it.
func (r *reviewable) lifted(v Visibility, decisions []Decision, before Visibility, counting map[int64]bool) (by *Decision) {
	from := r.asked
	switch {
	case v.Same(before):
		from = newest(from, v.Since)
	case before.Reason == models.Published:
		return nil
	}
	for i, d := range decisions {
		if d.Kind == Publish && !d.At.Before(from) && v.Same(Visibility{Reason: d.Reason, Because: d.Because}) {
			counting[d.ID] = true
			if by == nil || d.At.After(by.At) {
				by = &decisions[i]
			}
		}
	}
	return by
}

// newestOf is the newest decision of a kind, nil when there is none.
func newestOf(decisions []Decision, kind DecisionKind) (last *Decision) {
	for i, d := range decisions {
		if d.Kind == kind && (last == nil || d.At.After(last.At) || d.At.Equal(last.At) && d.ID > last.ID) {
			last = &decisions[i]
		}
	}
	return last
}

// Before is the visibility that a record was stored with. A lifted ground is that of the decision which
// lifted it, as the record itself is published.
func Before(withheld models.WithheldReason, because *Ref, since *time.Time, decisions []Decision) Visibility {
	v := Visibility{Reason: withheld, Because: because}
	if since == nil {
		return v
	}
	v.Since = *since
	if d := newestOf(decisions, Publish); withheld == models.Published && d != nil {
		v.Reason, v.Because, v.Lifted = d.Reason, d.Because, true
	}
	return v
}
