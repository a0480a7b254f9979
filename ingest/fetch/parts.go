package fetch

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// together is how far apart, at most, the instants in the names of one snapshot's files are.
const together = time.Minute

// Part is what the name of a file states of its snapshot.
type Part struct {
	At    time.Time
	Named bool   // At is from the name
	Stem  string // the name without the instant (Observed.Stem)
}

// GroupParts gathers files, which are ordered by their instants, as snapshots: files of one instant are one, and so are
// those within a minute whose names differ in more than that: they are written one after the other. The same name
// again is the next snapshot.
// A snapshot that is torn apart would release those in its other half, and two that are joined would list nobody as gone.
func GroupParts[T any](files []T, tell func(T) Part) [][]T {
	var groups [][]T
	var first Part
	var stems []string
	for _, file := range files {
		p := tell(file)
		// Two files of one stem within a minute are two lists, of a job that runs every few seconds.
		near := p.Named && first.Named && p.At.Sub(first.At) < together && !slices.Contains(stems, p.Stem)
		switch {
		case len(groups) > 0 && (near || p.At.Equal(first.At)):
			groups[len(groups)-1] = append(groups[len(groups)-1], file)
			stems = append(stems, p.Stem)
		default:
			groups, first, stems = append(groups, []T{file}), p, []string{p.Stem}
		}
	}
	return groups
}

// PartNumber is the number of a file among the parts of one snapshot, by its name without the instant: part-2 is 2, and 1-of-3 is
// before 2-of-3. Names that differ otherwise have no order.
func PartNumber(stem string) (n int) {
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
