package reconcile

import (
	"fmt"

	"rollcall/models"
)

// The bounds of the guard on what one run does to people. A source that tells only what changed has ordinary
// days, above all its first, on which most of the few whom it knows leave.
const (
	releaseSlack      = shrinkSlack // so many may always be released by a source that lists everybody
	deltaReleaseSlack = 25          // by any other
	overdueReleases   = 5           // released by a time long past, at least
	upsetCount        = 5           // facts of one kind that must change at least, of a source that lists everybody
	deltaUpsetCount   = 20          // of any other
	upsetShare        = 0.5         // of the known, beyond which that is implausible
)

// Upset tells why a snapshot must be held that would release an implausible share of the source's people, or
// give an implausible share of the known other facts at once, or none any more: its columns mean something
// else now. Empty: it is plausible. The reason holds no personal data.
//
// rewrite is the share of the known whose facts may change within a day; after a week charges and bonds of all may have.
// shrink is the share that may be released within a day, 1 all of them; the longer the last snapshot lies back, the more, and
// after a week all. Whatever the time, a source does not tell of many at once that they were released long before it
// last told that they are in jail.
func Upset(u models.Upheaval, shrink, rewrite float64) string {
	slack, count := deltaReleaseSlack, deltaUpsetCount
	if u.Lists {
		slack, count = releaseSlack, upsetCount
	}
	since := u.Since
	if since < 0 {
		since = -since // it came late: as much can have happened between
	}
	switch {
	case !u.Releases && u.Closed > slack && share(u.Closed, u.Open) > plausibleShare(since, shrink):
		return fmt.Sprintf("it would release %d of the %d people whom it has in jail at once: a column may mean something else now", u.Closed, u.Open)
	case !u.Releases && u.Overdue >= overdueReleases && share(u.Overdue, u.Spoken) > upsetShare:
		return fmt.Sprintf("%d of the %d people in jail of whom it tells would be released by times long before it last had them in jail: a column may mean something else now", u.Overdue, u.Spoken)
	}
	for _, r := range u.Rewrites {
		plausible := rewrite
		if r.Late {
			plausible = plausibleShare(since, rewrite)
		}
		if r.Rows >= count && share(r.Rows, u.Known) > plausible {
			return fmt.Sprintf("the %s of %d of the %d known people in it would change at once: a column may mean something else now", r.Fact, r.Rows, u.Known)
		}
	}
	return ""
}
