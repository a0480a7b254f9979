package main

import (
	"bytes"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"
)

// mishap is what goes wrong with the file of a county on a morning, or happens in the county, and what becomes of it.
type mishap struct {
	day  int
	slug string
	what string // for the log; empty: it goes on, and stands in the log already

	change func(w *weeks, d *drop) // of the file; nil: none
	takes  taken                   // what is right of it

	state string   // of the county in `sources list` that morning; empty: ok
	shows view     // where the operator sees it
	does  []string // commands of the operator at noon
	sends sent     // what the jail sends at noon, when the operator has called

	then string // what came of it, for the log
	noon []later
}

// view is where an operator sees a mishap.
type view int

const (
	seesTrouble    view = iota // the beginning of `sources show`
	seesQuarantine             // `quarantine list`
	seesReport                 // the report of the run: the counts of the county
	seesNothing                // nothing is to be seen
)

// sent is a file that a jail sends at noon.
type sent int

const (
	sendsNothing sent = iota
	sendsNoon         // one of noon
	sendsMorning      // that of the morning, as it should have been
	sendsOld          // that of the day before
)

// later is a file that is taken in at noon: that of the morning of a day, or of noon (day 0).
type later struct {
	day   int
	takes taken
}

// noonFile is the corrected file that a jail sends at noon.
var noonFile = []later{{}}

// mishaps are those of the two weeks, by day.
func mishaps() []mishap {
	nothing := taken{nothing: true}
	show, discard := "sources show common-csv", func(slug string) string { return "sources release common-csv --county " + slug + " --discard" }
	return []mishap{
		{
			day: 2, slug: "gwinnett", what: "the same file twice, under two names", shows: seesReport,
			change: func(_ *weeks, d *drop) { d.also = append(d.also, dropName("gwinnett", morning(2).Add(5*time.Minute))) },
			then:   "The second changed nothing.",
		},
		{
			day: 2, slug: "bibb", what: "the converter is stuck: each day has a new file, with the rows of the first day", shows: seesNothing,
			change: stuck, takes: nothing, then: "Nothing to see for two days: rows that are repeated are no news.",
		},
		{day: 3, slug: "bibb", change: stuck, takes: nothing, state: "late", what: "stuck still", does: []string{show}, then: "Called the vendor, who restarted the converter."},
		{
			day: 3, slug: "fulton", what: "all times of booking five hours late", takes: nothing, state: "held",
			change: func(_ *weeks, d *drop) { d.shift("booking_timestamp", 5*time.Hour) },
			does:   []string{show, discard("fulton")}, sends: sendsNoon, noon: noonFile, then: "The file of noon was right, and was read.",
		},
		{
			day: 3, slug: "cobb", what: "the file ends within a row", shows: seesQuarantine,
			change: func(_ *weeks, d *drop) { d.bytes = cut }, takes: taken{only: beforeTheCut},
			then: "The rows before the cut were taken. The next file had the others.",
		},
		{
			day: 4, slug: "lowndes", what: "half of the people, in a file that looks whole", shows: seesReport,
			change: func(_ *weeks, d *drop) { d.rows = d.rows[:len(d.rows)/2] }, takes: taken{only: firstHalf},
			then: "A `delta` releases nobody for that. The next file had the others.",
		},
		{
			day: 4, slug: "chatham", what: "all times of booking a day early", takes: nothing, state: "held",
			change: func(_ *weeks, d *drop) { d.shift("booking_timestamp", -24*time.Hour) },
			does:   []string{show, discard("chatham")}, sends: sendsNoon, noon: noonFile, then: "The file of noon was right, and was read.",
		},
		{
			day: 5, slug: "houston", what: "the jail numbers its bookings anew", takes: nothing, state: "held",
			does:  []string{show, "sources release common-csv --county houston --renumbered"},
			noon:  []later{{5, taken{returns: true}}},
			sends: sendsMorning, then: "Everybody kept the booking, under the new number. The same file came again at noon, and changed nothing.",
		},
		{
			day: 5, slug: "forsyth", what: "`NO BOND` for everybody", takes: nothing, state: "held",
			change: func(_ *weeks, d *drop) { d.each("bond_amount", words("NO BOND")) },
			does:   []string{show, discard("forsyth")}, sends: sendsNoon, noon: noonFile, then: "The file of noon was right, and was read.",
		},
		{day: 4, slug: "appling", what: "no file comes any more", change: lost, takes: nothing, shows: seesNothing, then: "Nothing to see on the first day."},
		{day: 5, slug: "appling", what: "the second day without a file", change: lost, takes: nothing, state: "late", does: []string{show}, then: "Called the jail."},
		{
			day: 6, slug: "appling", what: "the third day without a file", change: lost, takes: nothing, state: "down",
			does: []string{show}, then: "The next file, on day 7, brought all events of the days between.",
		},
		{
			day: 6, slug: "henry", what: "`ASK THE CLERK` for every bond", shows: seesReport,
			change: func(_ *weeks, d *drop) { d.each("bond_amount", words("ASK THE CLERK")) }, takes: taken{noBonds: true},
			then: "The known bonds stayed. Those of new people came with the next file.",
		},
		{
			day: 6, slug: "lowndes", what: "a bond of $1 for everybody", takes: nothing, state: "held",
			change: func(_ *weeks, d *drop) { d.each("bond_amount", words("$1.00")) },
			does:   []string{show, discard("lowndes")}, sends: sendsNoon, noon: noonFile, then: "The file of noon was right, and was read.",
		},
		{
			day: 7, slug: "ben-hill", what: "the county is now spelt `BEN-HILL Co., GA`", shows: seesReport,
			change: func(_ *weeks, d *drop) { d.each("county_name", words("BEN-HILL Co., GA")) }, then: "It is known by any spelling.",
		},
		{
			day: 7, slug: "glynn", what: "the county is now spelt `Glyn`", takes: nothing, shows: seesQuarantine,
			change: func(_ *weeks, d *drop) { d.each("county_name", words("Glyn")) },
			does:   []string{"quarantine list", "sources enable corrected.yaml", "ingest replay --quarantine common-csv"},
			noon:   []later{{7, taken{returns: true}}}, then: "With `values: {Glyn: glynn}` in the document the rows were read again.",
		},
		{day: 8, slug: "bulloch", what: "a county that was not known joins", shows: seesReport, then: "No event for those in jail since more than a day."},
		{
			day: 8, slug: "cobb", what: "all times of booking an hour late, since the night in which the clocks changed", takes: nothing, state: "held",
			change: func(_ *weeks, d *drop) { d.shift("booking_timestamp", time.Hour) },
			does:   []string{show, discard("cobb")}, sends: sendsNoon, noon: noonFile, then: "The file of noon was right, and was read.",
		},
		{
			day: 8, slug: "richmond", what: "all releases are blank", shows: seesReport,
			change: func(_ *weeks, d *drop) { d.each("release_timestamp", words("")) }, takes: taken{noReleases: true},
			then: "Nobody was booked again. The releases of the day came with the next file.",
		},
		{
			day: 9, slug: "bibb", what: "all last names are blank", takes: nothing, shows: seesQuarantine,
			change: func(_ *weeks, d *drop) { d.each("inmate_lastname", words("")) },
			does:   []string{"quarantine list"}, sends: sendsNoon, noon: noonFile, then: "Nothing of it was published. The file of noon was right.",
		},
		{
			day: 9, slug: "muscogee", what: "all birth dates are of other people", takes: nothing, state: "held",
			change: func(_ *weeks, d *drop) { d.each("inmate_dob", otherBirth) },
			does:   []string{show, discard("muscogee")}, sends: sendsNoon, noon: noonFile, then: "The file of noon was right, and was read.",
		},
		{
			day: 10, slug: "hall", what: "the column `inmate_id` has another name", takes: nothing,
			change: func(_ *weeks, d *drop) { d.header[3] = "inmate_no" },
			does:   []string{show}, sends: sendsMorning, noon: []later{{day: 10}}, then: "The jail took its old header again.",
		},
		{
			day: 10, slug: "tift", what: "a file of two counties is in Latin-1", shows: seesQuarantine,
			change: func(_ *weeks, d *drop) { d.bytes = latin }, takes: taken{only: inASCII},
			does: []string{"quarantine list"}, then: "Only names with other letters wait. The next file was UTF-8 again.",
		},
		{
			day: 10, slug: "dekalb", what: "the jail moves to new software", shows: seesNothing,
			does: []string{"sources hold common-csv --county dekalb --note 'the jail moves'"}, then: "Held by the operator, so that nothing half done is read.",
		},
		{day: 11, slug: "dekalb", takes: nothing, state: "held"},
		{
			day: 12, slug: "dekalb", what: "the move is over", takes: nothing, state: "held",
			does: []string{show, "sources release common-csv --county dekalb"}, noon: []later{{11, taken{returns: true}}, {12, taken{returns: true}}},
			then: "The two files that waited were read in order.",
		},
		{
			day: 11, slug: "forsyth", what: "the file has no byte", takes: nothing,
			change: func(_ *weeks, d *drop) { d.bytes = func([]byte) []byte { return nil } },
			does:   []string{show}, sends: sendsMorning, noon: []later{{day: 11}}, then: "The jail wrote the file again.",
		},
		{
			day: 11, slug: "cobb", what: "all people are those of Gwinnett", takes: nothing, state: "held",
			change: ofGwinnett,
			does:   []string{show, discard("cobb")}, sends: sendsNoon, noon: noonFile, then: "The file of noon was right, and was read.",
		},
		{day: 11, slug: "clarke", what: "the file does not come", change: lost, takes: nothing, shows: seesNothing, then: "Nothing to see on the first day."},
		{
			day: 12, slug: "clarke", what: "the file of the day before comes at noon", shows: seesNothing, sends: sendsOld,
			then: "All of it was older than what is known, and changed nothing.",
		},
		{day: 12, slug: "chatham", what: "some names are corrected by a letter", shows: seesReport, then: "They are the same people. No event."},
		{
			day: 12, slug: "fulton", what: "the column of bonds is blank", shows: seesReport,
			change: func(_ *weeks, d *drop) { d.each("bond_amount", words("")) }, takes: taken{noBonds: true},
			then: "The known bonds stayed. Those of new people came with the next file.",
		},
		{
			day: 12, slug: "henry", what: "the file is of tomorrow", takes: nothing,
			change: tomorrows, does: []string{show}, then: "It waited a day, and the next file brought what was new.",
		},
		{
			day: 13, slug: "glynn", what: "all rows say that they are of Lowndes County", takes: nothing, shows: seesQuarantine,
			change: func(_ *weeks, d *drop) { d.each("county_name", words("Lowndes")) },
			does:   []string{"quarantine list"}, sends: sendsNoon, noon: noonFile, then: "The name of the file says Glynn, so nothing of it was published.",
		},
	}
}

func words(text string) func(string) string { return func(string) string { return text } }

func lost(_ *weeks, d *drop) { d.lost = true }

// stuck writes the rows of the first day into the file of another one.
func stuck(w *weeks, d *drop) { d.rows = newDrop(w.of("bibb"), morning(1)).rows }

// cut ends a file within the third row from its end.
func cut(text []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	return append(bytes.Join(lines[:len(lines)-4], nil), lines[len(lines)-4][:40]...)
}

// beforeTheCut are those whose rows cut leaves.
func beforeTheCut(j *jail, at time.Time, i *inmate) bool {
	all := j.listed(at)
	return place(all, i) < len(all)-3
}

// firstHalf are those whose rows stand in the first half of a file.
func firstHalf(j *jail, at time.Time, i *inmate) bool {
	all := j.listed(at)
	return place(all, i) < len(all)/2
}

func place(all []*inmate, i *inmate) int {
	for n, other := range all {
		if other == i {
			return n
		}
	}
	return len(all)
}

// otherBirth is another birth date of an adult for each: the digits of the year and the month change.
func otherBirth(text string) string {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return text
	}
	return at.AddDate(-11, 5, 9).Format(time.DateOnly)
}

// latin writes a file in Latin-1.
func latin(text []byte) []byte {
	out, err := charmap.ISO8859_1.NewEncoder().Bytes(text)
	if err != nil {
		panic(err)
	}
	return out
}

// inASCII are those whose names are in ASCII.
func inASCII(_ *jail, _ time.Time, i *inmate) bool { return !strings.Contains(i.last, "Ñ") }

// ofGwinnett writes the name of a county over the rows of Gwinnett.
func ofGwinnett(w *weeks, d *drop) {
	d.rows = newDrop(w.of("gwinnett"), morning(11)).rows
	d.each("county_name", words("Cobb"))
}

// tomorrows dates a file of today a day ahead.
func tomorrows(_ *weeks, d *drop) {
	at := morning(13).Add(-time.Hour)
	d.name = dropName("henry", at)
	d.each("timestamp", words(eastern(at)))
}
