package ingest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"rollcall/internal/plural"
)

// together is how far apart, at most, the instants in the names of one snapshot's files are.
const together = time.Minute

// part is what the name of a file states of its snapshot.
type part struct {
	at    time.Time
	named bool   // at is from the name
	stem  string // the name without the instant
}

// groupParts gathers files, which are ordered by their instants, as snapshots: files of one instant are one, and so are
// those within a minute whose names differ in more than that: they are written one after the other. The same name
// again is the next snapshot.
// A snapshot that is torn apart would release those in its other half, and two that are joined would list nobody as gone.
func groupParts[T any](files []T, tell func(T) part) [][]T {
	var groups [][]T
	var first part
	var stems []string
	for _, file := range files {
		p := tell(file)
		// Two files of one stem within a minute are two lists, of a job that runs every few seconds.
		near := p.named && first.named && p.at.Sub(first.at) < together && !slices.Contains(stems, p.stem)
		switch {
		case len(groups) > 0 && (near || p.at.Equal(first.at)):
			groups[len(groups)-1] = append(groups[len(groups)-1], file)
			stems = append(stems, p.stem)
		default:
			groups, first, stems = append(groups, []T{file}), p, []string{p.stem}
		}
	}
	return groups
}

// order returns the place of a court's row among those of its instant. The files of one instant follow the numbers in their
// names, in whatever order and runs they are read, and the rows of one file its lines. So a hearing that one line takes back and a
// later one sets again stands, also where the two are in different parts of a file. 0: the pages of a fetch have an order.
// Rosters need no such order: of rows of one instant the one counts that releases nobody (roster.order).
func (u *run) order(document int, line int64) int64 {
	if u.source.Transport.Kind == "http" || document >= len(u.docs) {
		return 0
	}
	return place{partNumber(u.source.Transport.Observed.Stem(u.docs[document].Name)), line}.number()
}

// partNumber is the number of a file among the parts of one snapshot, by its name without the instant: part-2 is 2, and 1-of-3 is
// before 2-of-3. Names that differ otherwise have no order.
func partNumber(stem string) (n int) {
	runs := strings.FieldsFunc(stem, func(r rune) bool { return r < '0' || r > '9' })
	// Only the last two numbers of a name count, as in 1-of-3: those before them number no parts.
	for _, digits := range runs[max(0, len(runs)-2):] {
		k, err := strconv.Atoi(digits)
		if err != nil || k > 999 {
			k = 999
		}
		n = n*1000 + k
	}
	return n
}

// fewer returns why a snapshot of a folder, bucket or of given files may be one that is still being copied: it has fewer
// files than the last complete one. If the next instant has as few, the source sends that many now. Over HTTP the source
// itself says how many pages there are, so none is missing.
func (u *run) fewer(ctx context.Context) (doubt string, err error) {
	if !u.source.lists() || u.source.Transport.Kind == "http" {
		return "", nil
	}
	// What this look at the place found besides proves nothing: all of it may be one copy that is still going on.
	past, err := u.Store.PastDocuments(ctx, u.source.ID, u.at, u.reading)
	if err != nil {
		return "", err
	}
	n := len(u.docs)
	if n >= past.Complete || n == past.Previous && !past.Same {
		return "", nil
	}
	return fmt.Sprintf("it is %s and the last complete one was %d, so others may still be on their way; it counts when the next one has as few", plural.Of(n, "file"), past.Complete), nil
}
