package reconcile

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"rollcall/ingest/mapping"
	"rollcall/internal/plural"
)

// What a snapshot lacks is believed to be gone when chance would leave it out so rarely: once in a thousand,
// and for what protects the young once in twenty.
const (
	byChance      = 0.001
	byChanceYoung = 0.05
	birthsLeft    = 0.1 // of the share that had a birth date, below which they count as gone
)

// Gone tells what the last snapshot told of and this one does not any more: lost are fields, blind what tells
// who is too young to be published. A key was renamed, or a column holds something else. Neither names a person.
func Gone(last, now mapping.Told) (lost, blind []string) {
	if last.Rows == 0 || now.Rows == 0 {
		return nil, nil
	}
	for _, path := range slices.Sorted(maps.Keys(now.Signs)) { // those of the document of today
		if now.Signs[path] == 0 && chance(last.Signs[path], last.Rows, now.Rows) < byChanceYoung {
			blind = append(blind, fmt.Sprintf("%q, which tells who is a juvenile, is in no row any more", path))
		}
	}
	expected := float64(last.Births) / float64(last.Rows)
	if float64(now.Births) < birthsLeft*expected*float64(now.Rows) && chance(last.Births, last.Rows, now.Rows) < byChance {
		blind = append(blind, fmt.Sprintf("%d of %s %s when a person was born, before it were %d of %d", now.Births, plural.Of(now.Rows, "row"), plural.Word(now.Births, "tells", "tell"), last.Births, last.Rows))
	}
	for _, field := range slices.Sorted(maps.Keys(last.Fields)) {
		if now.Fields[field] == 0 && chance(last.Fields[field], last.Rows, now.Rows) < byChance {
			lost = append(lost, field+" is in no row any more")
		}
	}
	return lost, blind
}

// chance is how likely none of so many rows has what n of the last ones had; few last rows say little.
func chance(n, of, rows int) float64 {
	if n == 0 {
		return 1
	}
	return math.Pow(1-min(1, float64(n)/float64(of+1)), float64(rows))
}

// blindHold is the reason for operators.
func blindHold(blind []string) string {
	return strings.Join(blind, ", ") + ": nobody is published while that is gone; correct the document, then release it"
}
