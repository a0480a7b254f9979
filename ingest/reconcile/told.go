package reconcile

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"rollcall/ingest/mapping"
	"rollcall/internal/plural"
	"rollcall/models/snapshot"
)

// Gone returns what the last snapshots stated and this one does not any more: lost are fields, blind what
// states who is too young to be published. A key was renamed, or a column holds something else. Neither names
// a person. Without the second guard a renamed flag would publish every juvenile of a county at once.
func Gone(last, now mapping.Reported) (lost, blind []string) {
	if last.Rows == 0 || now.Rows == 0 {
		return nil, nil
	}
	for _, path := range slices.Sorted(maps.Keys(now.Signs)) { // those of the document of today
		if now.Signs[path] == 0 && chance(last.Signs[path], last.People, now.People) < byChanceSafe {
			blind = append(blind, fmt.Sprintf("%q, which states who is a juvenile, is no longer in any row", path))
		}
	}
	blind = append(blind, Births(last, now)...)
	for _, field := range slices.Sorted(maps.Keys(last.Fields)) {
		if now.Fields[field] == 0 && chance(last.Fields[field], last.Rows, now.Rows) < byChance {
			lost = append(lost, field+goneField)
		}
	}
	return lost, blind
}

// Births returns why a snapshot is not believed of which nearly no row states any more when the person was born, or of
// which most rows cannot be read there. Only rows count that can state it: files of hearings or charges have none.
func Births(last, now mapping.Reported) (blind []string) {
	if last.People == 0 || now.People == 0 {
		return nil
	}
	expected := float64(last.Births) / float64(last.People)
	if float64(now.Births) < birthsLeft*expected*float64(now.People) && chance(last.Births, last.People, now.People) < byChance {
		blind = append(blind, fmt.Sprintf("%d of %s %s when a person was born, before it were %d of %d",
			now.Births, plural.Of(now.People, "row"), plural.Word(now.Births, "states", "state"), last.Births, last.People))
	}
	if most(now) && !most(last) {
		blind = append(blind, fmt.Sprintf("%s, before it were %d of %d", obscured(now), last.Unreadable, last.People))
	}
	return blind
}

// Flags returns why a snapshot is not believed in which nearly no row's own flag says any more who is a juvenile: its column is
// blank. A few rows may well lack it. Where only juveniles have a flag, they leave and no row has one: nothing is wrong.
func Flags(last, now mapping.Reported) (blind []string) {
	if !AsksFlags(last) || now.People < flagsCount {
		return nil
	}
	rare := byChance
	if now.Flags == 0 {
		rare = byChanceSafe
	}
	expected := float64(last.Flags) / float64(last.People)
	if float64(now.Flags) < birthsLeft*expected*float64(now.People) && chance(last.Flags, last.People, now.People) < rare {
		blind = append(blind, fmt.Sprintf("the flags of %d of %s say who is a juvenile, before it were %d of %d",
			now.Flags, plural.Of(now.People, "row"), last.Flags, last.People))
	}
	return blind
}

// AsksFlags reports whether the flags of juveniles are asked for after snapshots like these: most people had one that was stated.
func AsksFlags(last mapping.Reported) bool {
	return last.Flags > 0 && float64(last.Flags) >= flagsShare*float64(last.People)
}

// fades are the fields of which nothing is taken for empty when their key is gone. A release is not among
// them: to go on showing a person as released for a lost key would be worse than to show the person in jail.
var fades = []string{
	"booking.agency", "booking.bond",
	"case.disposition", "case.disposition_date", "case.judge", "case.link", "case.offense", "case.sentence",
	"case.status",
	"charge.bond", "charge.description", "charge.disposition", "charge.severity", "charge.statute",
	"disposition.date", "disposition.outcome", "disposition.sentence",
	"hearing.cancelled", "hearing.date", "hearing.event", "hearing.judge", "hearing.kind", "hearing.link",
	"hearing.location", "hearing.time",
	"offender.institution", "offender.parole_end", "offender.release_date", "offender.sentence",
	"sentence.days", "sentence.length", "sentence.max_release", "sentence.min_release", "sentence.months",
	"sentence.probation_end", "sentence.years",
}

// Fading returns the fields that the last snapshots stated and of which this one has no key at all. In a
// small county chance alone may leave one out, so it is no reason to doubt that the snapshot is whole; but
// nothing is wiped for it. That is why the bound of Gone is another. If the source does not list everything (lists is false), each file has a few rows:
// a field that few ever had may well be in none of them.
func Fading(last, now mapping.Reported, lists bool) (fields []string) {
	for _, f := range fades {
		if last.Fields[f] > 0 && now.Fields[f] == 0 && (lists || chance(last.Fields[f], last.Rows, now.Rows) < byChanceSafe) {
			fields = append(fields, f)
		}
	}
	return fields
}

// bonds are the fields that state a bond.
var bonds = []string{"booking.bond", "charge.bond"}

// Lost returns what stays as it is known because of the fields that faded: these fields, and the bond when no
// row states it in any other of its fields.
func Lost(faded []string, now mapping.Reported) []string {
	gone := func(field string) bool { return slices.Contains(faded, field) }
	told := func(field string) bool { return now.Fields[field] > 0 && !gone(field) }
	if slices.ContainsFunc(bonds, gone) && !slices.ContainsFunc(bonds, told) {
		return append(slices.Clone(faded), snapshot.MissingBond)
	}
	return faded
}

// MissingFieldNotes returns the reasons for operators; lost are the reasons that say it already.
func MissingFieldNotes(fields, lost []string) []string {
	drift := slices.Clone(lost)
	for _, f := range fields {
		if gone := f + goneField; !slices.Contains(lost, gone) {
			drift = append(drift, gone+": what is known of it stays")
		}
	}
	return drift
}

// goneField follows the name of a field in reasons.
const goneField = " is no longer in any row"

// Obscured says that most rows of a snapshot are withheld for an unreadable age or birth date; empty if they
// are not.
func Obscured(now mapping.Reported) string {
	if !most(now) {
		return ""
	}
	return obscured(now) + ": withheld until reviewed, or until the document reads them"
}

// obscured is the sentence with the counts.
func obscured(now mapping.Reported) string {
	return fmt.Sprintf("%d of %d rows have an age or a birth date that can not be read", now.Unreadable, now.People)
}

// most reports whether so many rows are unreadable that it is the column rather than a few people.
func most(t mapping.Reported) bool {
	return t.Unreadable >= obscureCount && float64(t.Unreadable) > obscureShare*float64(t.People)
}

// chance is the probability that none of so many rows has what n of the last ones had. Few last rows say
// little, which the 1 in the divisor stands for.
func chance(n, of, rows int) float64 {
	if n == 0 {
		return 1
	}
	return math.Pow(1-min(1, float64(n)/float64(of+1)), float64(rows))
}

// blindHold returns the reason for operators.
func blindHold(blind []string) string {
	return strings.Join(blind, ", ") + ": nobody is published while that is gone; correct the document, then release it"
}
