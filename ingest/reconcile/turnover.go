package reconcile

import (
	"fmt"
	"math"
	"time"

	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// KeyTurnover returns why a snapshot must be held of which an implausible share of the keys is new while an
// implausible share of the known ones is gone: columns were swapped or keys renumbered, and all people would
// be released and booked anew. It is empty if the snapshot is plausible. The reason holds no personal data.
//
// daily is the share of the listed that may come, and of the known that may go, within a day; a source
// document can set it. The longer ago the last complete snapshot was, the more is plausible, and after a week
// anything is that was booked since. Never plausible are people who were booked long before it and yet were
// not in it, and people who are gone from one key and stand under another. In the smallest jails one person
// is enough, who has the minute of booking of the only one who is gone, as when the columns of names and
// charges are swapped. A snapshot that came late is only asked for people under new keys
// (docs/decisions/0009-turnover.md).
//
// Of every source, also one that reports only what changed, it is implausible that most people whom a snapshot
// books were booked at about that time already, under keys that it lacks; of courts and the corrections department, that most
// people with new numbers are known under others. Of a source that reports only changes it is implausible, too, that most people
// whom it books in a county are those whom it has in another. With daily 1 none of that is asked.
func KeyTurnover(t snapshot.KeyTurnover, daily float64) string {
	many := t.Again >= againMany || t.Again >= againCount && float64(t.Again) >= againShare*float64(t.Known)
	if many && !t.Changes {
		return fmt.Sprintf("%d of the %d people who are gone from it are still in it under new keys, by name and %s: its keys were renumbered",
			t.Again, t.Vanished, t.By)
	}
	switch {
	case daily >= 1:
	case t.Doubled >= doubledLeast(t) && share(t.Doubled, t.Came) > doubledShare:
		return doubled(t)
	case t.Elsewhere >= elsewhereCount && share(t.Elsewhere, t.Came) > elsewhereShare:
		return fmt.Sprintf("%d of the %d people it would book are known in another county of the source, by name and time of booking: "+
			"they may be those of that county", t.Elsewhere, t.Came)
	}
	if t.Changes || t.Since < 0 {
		return ""
	}
	t.Fresh, t.Vanished = t.Fresh-t.Moved, max(0, t.Vanished-t.Moved) // corrections
	gone := share(t.Vanished, t.Known)
	switch plausible := plausibleShare(t.Since, daily); {
	case t.Fresh >= turnedCount && t.Vanished >= turnedCount && share(t.Fresh, t.Listed) > plausible && gone > plausible:
	case t.Overdue >= overdueCount && t.Vanished >= overdueCount && share(t.Overdue, t.Listed) > overdueShare && gone > overdueShare:
	case share(t.Replaced, t.Listed) > overdueShare && share(t.Replaced, t.Known) > overdueShare:
	default:
		return ""
	}
	return fmt.Sprintf("%d of its %d keys are new (%d of them booked long before the last snapshot) and %d of the %d known ones are gone at once: "+
		"its keys may mean something else now",
		t.Fresh, t.Listed, t.Overdue, t.Vanished, t.Known)
}

// doubledLeast returns how many people must be known under other keys at least. Those of courts have further cases every day.
func doubledLeast(t snapshot.KeyTurnover) int {
	if t.Alike == resolve.RewriteFiled {
		return exchangedCount
	}
	return doubledCount
}

// doubled returns the reason for operators why a snapshot must be held that books people a second time.
func doubled(t snapshot.KeyTurnover) string {
	if t.Alike != "" {
		return fmt.Sprintf("%d of the %d people who have new numbers in it are known under others, by name and %s: its numbers were exchanged", t.Doubled, t.Came, t.Alike)
	}
	if 2*t.Renumbered > t.Doubled {
		return fmt.Sprintf("%d of the %d people it would book are known under other keys, by name and time of booking: its keys were renumbered, or hold other names",
			t.Renumbered, t.Came)
	}
	return fmt.Sprintf("%d of the %d people it would book were booked within two days of that already, under other keys: "+
		"its times of booking may mean something else now", t.Doubled, t.Came)
}

// plausibleShare is the share of a jail that may come and go in a time: daily of it within a day, and daily
// of the rest with each day more.
func plausibleShare(d time.Duration, daily float64) float64 {
	if d >= turnedForever {
		return 1
	}
	return 1 - math.Pow(1-daily, max(1, d.Hours()/24))
}

// share is a part of a whole; 0 of nothing.
func share(part, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(part) / float64(of)
}
