package reconcile

import (
	"fmt"
	"math"
	"time"

	"rollcall/models"
)

// The bounds of the turnover guard. What comes and goes in a jail within a day is well under half of it,
// but in a jail of few; whoever is new was booked since the last snapshot, but for a few.
const (
	turnedCount   = 10  // keys that must have come, and gone, at least
	overdueCount  = 2   // the same, when those who came are overdue
	overdueShare  = 0.5 // of the listed overdue, and of the known gone; the same of those in whose place another stands
	againShare    = 0.1 // of the known, gone but for their new keys
	againCount    = 2   // so many at least
	againMany     = 10  // so many in any case
	turnedForever = 7 * 24 * time.Hour
)

// Turned tells why a snapshot must be held of which an implausible share of the keys is new while an
// implausible share of the known ones is gone: columns were swapped or keys renumbered, and all of them
// would be released and booked anew. Empty: it is plausible. The reason holds no personal data.
//
// daily is the share of the listed that may come, and of the known that may go, within a day; a document
// can say so. The longer the last complete snapshot lies back, the more is plausible, and after a week anything is
// that was booked since; those who were booked long before it and yet were not in it never are, nor those
// who are gone from one key and stand under another. In the smallest jails too: there a single one is held whose
// minute of booking is that of the only one who is gone, as when the columns of names and charges are swapped. A snapshot that came late is only asked about these.
func Turned(t models.Turnover, daily float64) string {
	many := t.Again >= againMany || t.Again >= againCount && float64(t.Again) >= againShare*float64(t.Known)
	if many {
		return fmt.Sprintf("%d of the %d people who are gone from it are still in it under new keys, by name and %s: %s", t.Again, t.Vanished, t.By, models.RenumberedKeys)
	}
	if t.Since < 0 {
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
	return fmt.Sprintf("%d of its %d keys are new (%d of them booked long before the last snapshot) and %d of the %d known ones are gone at once: its keys may mean something else now",
		t.Fresh, t.Listed, t.Overdue, t.Vanished, t.Known)
}

// plausibleShare is the share of a jail that may come and go in a time: daily of it within a day, daily of
// the rest with each day more.
func plausibleShare(d time.Duration, daily float64) float64 {
	if d >= turnedForever {
		return 1
	}
	return 1 - math.Pow(1-daily, max(1, d.Hours()/24))
}

func share(part, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(part) / float64(of)
}
