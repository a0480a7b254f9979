package reconcile

import (
	"fmt"

	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// MassChange returns why a snapshot must be held that would release an implausible share of the source's people,
// or change or end one fact of an implausible share of the known people at once: its columns mean something
// else now. It is empty if the snapshot is plausible. The reason holds no personal data.
//
// rewrite is the share of the known whose facts may change within a day; after a week charges and bonds of
// all may have. shrink is the share that may be released within a day; with 1 all of them may. The longer ago
// the last snapshot was, the more, and after a week all. A court may close nearly all of its open cases on a day. Those who get one and the same value, or lose it, are
// compared with those alone who had one. Whatever the time, a source does not report of many
// at once that they were released long before it last listed them.
func MassChange(u snapshot.MassChange, shrink, rewrite float64) string {
	slack := deltaReleaseSlack
	if u.Lists {
		slack = releaseSlack
	}
	since := u.Since
	if since < 0 {
		since = -since // it came late: as much can have happened between
	}
	switch daily := plausibleShare(since, shrink); {
	case u.Cases && u.Closed >= closedCases && share(u.Closed, u.Open) > max(daily, closedShare):
		return fmt.Sprintf("it would close %d of its %d open cases at once: a column may have moved or the source document may be wrong", u.Closed, u.Open)
	case !u.Cases && !u.Releases && u.Closed > slack && share(u.Closed, u.Open) > daily:
		return fmt.Sprintf("it would release %d of the %d people it has in jail at once: a column may have moved or the source document may be wrong", u.Closed, u.Open)
	case !u.Releases && u.Overdue >= overdueReleases && share(u.Overdue, u.Spoken) > overdueReleaseShare:
		return fmt.Sprintf("%d of the %d people in jail whom it names would be released by times long before it last had them in jail: "+
			"a column may have moved or the source document may be wrong", u.Overdue, u.Spoken)
	}
	for _, r := range u.Rewrites {
		plausible := rewrite
		if r.Late {
			plausible = plausibleShare(since, rewrite)
		}
		if reason := rewritten(u, r, plausible, rewrite); reason != "" {
			return reason + " at once: a column may have moved or the source document may be wrong"
		}
	}
	return ""
}

// steady are the facts that a source corrects of one or two people on a day, never of many, whatever it lists.
var steady = map[string]bool{resolve.RewriteBooked: true}

// least returns how many people must get another value of a fact at least, and how many one and the same value, or none. Rows
// that are refused, as the value is that of another person, are as rare as corrections of steady facts. Days of filing are
// corrected in batches, whatever the court lists, and cases are restricted in batches.
func least(lists, cases bool, r snapshot.Rewrite) (count, same int) {
	switch {
	case r.Fact == resolve.RewriteRestricted && cases:
		return restrictedCases, deltaAlikeCount
	case r.Fact == resolve.RewriteRestricted:
		return changedCount, deltaAlikeCount
	case r.Fact == resolve.RewriteFiled && r.Moved == r.Rows:
		return movedCount, deltaAlikeCount
	case r.Fact == resolve.RewriteFiled:
		return filedCount, deltaAlikeCount
	case lists:
		return changedCount, alikeCount
	case steady[r.Fact] || 2*r.Refused > r.Rows:
		return steadyCount, deltaAlikeCount
	default:
		return deltaChangedCount, deltaAlikeCount
	}
}

// rewritten returns why so many people cannot get another value of one fact; empty if they can. plausible is the
// share of all known people who may, and alike that of those who had the fact and may get one and the same value, or
// lose it: a column that is empty, or repeats one text, changes those alone who had a value.
func rewritten(u snapshot.MassChange, r snapshot.Rewrite, plausible, alike float64) string {
	count, same := least(u.Lists, u.Cases, r)
	of := r.Of
	if of == 0 {
		of = u.Known
	}
	switch {
	case r.Fact == resolve.RewriteRestricted:
		if r.Rows < count || share(r.Rows, u.Known) <= alike {
			return ""
		}
		return fmt.Sprintf("the names of %d of %d people would become words such as RESTRICTED, which withhold their records,", r.Rows, u.Known)
	case r.Rows >= count && share(r.Rows, u.Known) > plausible && r.Refused > 0:
		return fmt.Sprintf("the %s of %d of %d people would change, and %d of their rows would be refused because the key is known for another person,",
			r.Fact, r.Rows, u.Known, r.Refused)
	case r.Rows >= count && share(r.Rows, u.Known) > plausible:
		return fmt.Sprintf("the %s of %d of %d people would change", r.Fact, r.Rows, u.Known)
	case r.Rows >= max(count, ownersCount) && share(r.Rows, of) > max(plausible, ownersShare):
		return fmt.Sprintf("the %s of %d of the %d people who have one would change", r.Fact, r.Rows, of)
	case r.Alike >= same && share(r.Alike, of) > alike:
		return fmt.Sprintf("the %s of %d of the %d people who have one would become the same, or end,", r.Fact, r.Alike, of)
	default:
		return ""
	}
}
