package reconcile

import (
	"fmt"

	"rollcall/models/snapshot"
)

// The bounds of the mass-change guard. A source that reports only what changed has ordinary days, above all
// its first, on which most of the few people it knows leave.
const (
	// releaseSlack is how many may always be released by a source that lists everybody, and deltaReleaseSlack
	// by any other.
	releaseSlack      = shrinkSlack
	deltaReleaseSlack = 25 // by any other
	// overdueReleases is how many are released at a time long past, at least.
	overdueReleases = 5
	// upsetCount is how many facts of one kind must change at least, of a source that lists everybody, and
	// deltaUpsetCount of any other.
	upsetCount      = 5
	deltaUpsetCount = 20 // of any other
	// upsetShare is the share of the known beyond which that is implausible.
	upsetShare = 0.5
)

// MassChange returns why a snapshot must be held that would release an implausible share of the source's people,
// or change or end one fact of an implausible share of the known people at once: its columns mean something
// else now. It is empty if the snapshot is plausible. The reason holds no personal data.
//
// rewrite is the share of the known whose facts may change within a day; after a week charges and bonds of
// all may have. shrink is the share that may be released within a day; with 1 all of them may. The longer ago
// the last snapshot was, the more, and after a week all. Whatever the time, a source does not report of many
// at once that they were released long before it last listed them.
func MassChange(u snapshot.MassChange, shrink, rewrite float64) string {
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
		return fmt.Sprintf("%d of the %d people in jail of whom it tells would be released by times long before it last had them in jail: "+
			"a column may mean something else now", u.Overdue, u.Spoken)
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
