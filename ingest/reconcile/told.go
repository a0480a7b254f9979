package reconcile

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"rollcall/ingest/mapping"
	"rollcall/internal/plural"
	"rollcall/models"
)

// What a snapshot lacks is believed to be gone when chance would leave it out so rarely: once in a thousand,
// and for what protects the young once in twenty.
const (
	byChance      = 0.001
	byChanceYoung = 0.05
	byChanceFew   = 0.05 // for what a file of a few rows lacks
	birthsLeft    = 0.1  // of the share that had a birth date, below which they count as gone
	obscureCount  = 5    // rows whose age or birth date can not be read, at least
	obscureShare  = 0.5  // of all rows, beyond which the column means something else
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
	if most(now) && !most(last) {
		blind = append(blind, fmt.Sprintf("%s, before it were %d of %d", obscured(now), last.Obscure, last.Rows))
	}
	for _, field := range slices.Sorted(maps.Keys(last.Fields)) {
		if now.Fields[field] == 0 && chance(last.Fields[field], last.Rows, now.Rows) < byChance {
			lost = append(lost, field+goneField)
		}
	}
	return lost, blind
}

// fades are the fields of which nothing is taken for empty when their key is gone. A release is not among them: to
// go on showing somebody as released for a lost key would be worse than to show him in jail.
var fades = []string{
	"booking.bond", "case.disposition", "case.disposition_date", "case.judge", "case.link", "case.offense", "case.sentence", "case.status", "charge.bond", "charge.description", "charge.disposition", "charge.severity", "charge.statute",
	"disposition.date", "disposition.outcome", "disposition.sentence", "hearing.cancelled", "hearing.date", "hearing.event", "hearing.judge", "hearing.kind", "hearing.link", "hearing.location", "hearing.time",
	"offender.institution", "offender.parole_end", "offender.release_date", "offender.sentence", "sentence.days", "sentence.length", "sentence.max_release", "sentence.min_release",
	"sentence.months", "sentence.probation_end", "sentence.years",
}

// Fading lists the fields that the last snapshot told and of which this one has no key at all. In a small county chance
// alone may leave one out, so it is no reason to doubt that the snapshot is whole; but nothing is wiped for it. Of a source
// that does not list everything (lists is false) each file has a few rows: a field that few ever had may well be in none of them.
func Fading(last, now mapping.Told, lists bool) (fields []string) {
	for _, f := range fades {
		if last.Fields[f] > 0 && now.Fields[f] == 0 && (lists || chance(last.Fields[f], last.Rows, now.Rows) < byChanceFew) {
			fields = append(fields, f)
		}
	}
	return fields
}

// bonds are the fields that tell a bond.
var bonds = []string{"booking.bond", "charge.bond"}

// Lost is what stays as it is known because of the fields that faded: they themselves, and the bond when no row tells
// it in any other of its fields.
func Lost(faded []string, now mapping.Told) []string {
	gone := func(field string) bool { return slices.Contains(faded, field) }
	told := func(field string) bool { return now.Fields[field] > 0 && !gone(field) }
	if slices.ContainsFunc(bonds, gone) && !slices.ContainsFunc(bonds, told) {
		return append(slices.Clone(faded), models.LostBond)
	}
	return faded
}

// Faded says so for operators; lost are the reasons that say it already.
func Faded(fields, lost []string) []string {
	drift := slices.Clone(lost)
	for _, f := range fields {
		if gone := f + goneField; !slices.Contains(lost, gone) {
			drift = append(drift, gone+": what is known of it stays")
		}
	}
	return drift
}

// goneField follows the name of a field.
const goneField = " is in no row any more"

// Obscured says that most rows of a snapshot are withheld for what can not be read of an age or birth date; empty: not so.
func Obscured(now mapping.Told) string {
	if !most(now) {
		return ""
	}
	return obscured(now) + ": withheld until reviewed, or until the document reads them"
}

func obscured(now mapping.Told) string {
	return fmt.Sprintf("%d of %d rows have an age or a birth date that can not be read", now.Obscure, now.Rows)
}

// most tells whether so many rows are obscure that it is the column rather than a few people.
func most(t mapping.Told) bool {
	return t.Obscure >= obscureCount && float64(t.Obscure) > obscureShare*float64(t.Rows)
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
