package resolve

import (
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
	ID      int64
	Kind    DecisionKind
	Reason  models.WithheldReason // the ground that it is about
	Because *Ref                  // the record that the ground was about; nil: none
	At      time.Time
}

// Grounds is everything that speaks against publishing a record.
type Grounds struct {
	Own      models.WithheldReason // what the claims say by themselves: restricted, juvenile, maybe juvenile or nothing
	Vanished bool                  // complete files lack it, and nothing says that it ended
	Causes   []Cause
}

// Decide decides whether a record may be published. The first of these holds: a restriction, a juvenile,
// what an operator keeps withheld, a vanished record, the doubt of its own claims, a cause in another
// record. A decision to publish counts for reviewable grounds alone, and only when it was made since the
// ground began. A record that vanishes again, or is doubted on another account, is reviewed again.
//
// before is the outcome of the last time; now is when a ground that is new begins.
func Decide(g Grounds, decisions []Decision, before Visibility, now time.Time) Visibility {
	v := ground(g, decisions)
	if v.Reason == models.Published {
		return Visibility{}
	}
	if v.Since = now; v.Same(before) && !before.Since.IsZero() {
		v.Since = before.Since
	}
	v.Lifted = lifted(v, decisions)
	return v
}

// ground picks the reason that comes first.
func ground(g Grounds, decisions []Decision) Visibility {
	kept := newestOf(decisions, Withhold)
	switch {
	case g.Own.Over(models.WithheldVanished): // a restriction or a juvenile, which no operator may lift
		return Visibility{Reason: g.Own}
	case kept != nil:
		return Visibility{Reason: kept.Reason, Because: kept.Because}
	case g.Vanished:
		return Visibility{Reason: models.WithheldVanished}
	case g.Own != models.Published:
		return Visibility{Reason: g.Own}
	case len(g.Causes) > 0:
		of := g.Causes[0].Of
		return Visibility{Reason: models.WithheldMaybeJuvenile, Because: &of}
	default:
		return Visibility{}
	}
}

// lifted reports whether an operator published the record on this very ground, and kept it so.
func lifted(v Visibility, decisions []Decision) bool {
	if !v.Reason.Reviewable() || newestOf(decisions, Withhold) != nil {
		return false
	}
	for _, d := range decisions {
		if d.Kind == Publish && !d.At.Before(v.Since) && v.Same(Visibility{Reason: d.Reason, Because: d.Because}) {
			return true
		}
	}
	return false
}

// Spent lists the decisions to publish whose ground holds no more; what comes after it is reviewed anew.
func Spent(after Visibility, decisions []Decision) (ids []int64) {
	for _, d := range decisions {
		inForce := after.Lifted && after.Same(Visibility{Reason: d.Reason, Because: d.Because})
		if d.Kind == Publish && !inForce {
			ids = append(ids, d.ID)
		}
	}
	return ids
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
