package resolve_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// born is a date of birth.
func born(year int, month time.Month, day int) *models.Date {
	return &models.Date{Year: year, Month: month, Day: day}
}

// prisoner is a row of one offender as the department reports it at an hour.
func prisoner(hours float64, change ...func(*snapshot.CorrectionsRow)) *snapshot.CorrectionsRow {
	r := &snapshot.CorrectionsRow{
		GDCID: "1000", Name: "MOONSAIL, ORLA", DOB: born(1980, 4, 2), BirthYear: 1980, Category: "offender", Categories: []string{"offender"},
		Institution: "HAYS STATE PRISON", Sentence: "5 years", Status: "incarcerated", ReleaseDate: born(2027, 1, 9), ReleaseProjected: true,
		SeenAt: noon(hours), Fingerprint: []byte{1},
	}
	for _, f := range change {
		f(r)
	}
	return r
}

// department is a source of offenders with its complete files.
func department(id string, complete ...float64) *resolve.Policy {
	p := jail(id, complete...)
	p.Releases = false
	return p
}

// offenderOf folds rows into a claim of a source.
func offenderOf(p *resolve.Policy, rows ...*snapshot.CorrectionsRow) *resolve.OffenderClaim {
	c := &resolve.OffenderClaim{Head: resolve.Head{Source: p, Key: "1000", How: resolve.Own, Present: true}}
	for _, r := range rows {
		resolve.FoldOffender(c, r, nil)
	}
	return c
}

func TestFoldOffender(t *testing.T) {
	t.Parallel()
	blank := func(r *snapshot.CorrectionsRow) {
		r.DOB, r.BirthYear, r.Status, r.Institution, r.Sentence, r.ReleaseDate, r.ReleaseProjected = nil, 0, "unknown", "", "", nil, false
	}
	for name, c := range map[string]struct {
		row     *snapshot.CorrectionsRow
		missing resolve.MissingFields
		newest  bool
		kept    []string
		want    func(*resolve.OffenderFacts)
	}{
		"a newer row replaces the facts": {
			prisoner(1, func(r *snapshot.CorrectionsRow) { r.Status, r.Institution = "paroled", "" }), nil, true, nil,
			func(f *resolve.OffenderFacts) { f.Status, f.Institution = "paroled", "" },
		},
		"a row without a birth or a known status keeps them": {
			prisoner(1, blank), nil, true, nil,
			func(f *resolve.OffenderFacts) {
				f.Institution, f.Sentence, f.ReleaseDate, f.Projected = "", "", nil, false
			},
		},
		"what no row of the file has any more stays": {
			prisoner(1, blank),
			resolve.MissingFields{"offender.institution", "sentence.years", "sentence.max_release"},
			true,
			[]string{"institution", "sentence", "release date"},
			func(*resolve.OffenderFacts) {},
		},
		"of a field that is missing a row may still state a value": {
			prisoner(1, func(r *snapshot.CorrectionsRow) { r.Institution = "WARE STATE PRISON" }),
			resolve.MissingFields{"offender.institution"},
			true, nil,
			func(f *resolve.OffenderFacts) { f.Institution = "WARE STATE PRISON" },
		},
		"a late row changes nothing": {
			prisoner(-1, func(r *snapshot.CorrectionsRow) { r.Name, r.Status = "STORMCROW, IDA", "released" }), nil, false, nil,
			func(*resolve.OffenderFacts) {},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			claim := offenderOf(department("p"), prisoner(0))
			want := claim.Facts
			c.want(&want)
			newest, kept := resolve.FoldOffender(claim, c.row, c.missing)
			require.Equal(t, c.newest, newest)
			require.Equal(t, c.kept, kept)
			require.Equal(t, want, claim.Facts)
			require.Equal(t, len(kept) == 0, claim.SameFingerprint([]byte{1}), "a row with kept facts is read again when its field is back")
		})
	}
}

func TestALateRowOfAnOffenderStillTellsTheAge(t *testing.T) {
	t.Parallel()
	c := offenderOf(department("p"), prisoner(0, func(r *snapshot.CorrectionsRow) { r.DOB, r.BirthYear = nil, 0 }))
	newest, _ := resolve.FoldOffender(c, prisoner(-1, func(r *snapshot.CorrectionsRow) { r.Withheld = "juvenile"; r.DOB = born(2010, 1, 1) }), nil)
	require.False(t, newest)
	require.Equal(t, models.WithheldJuvenile, c.Age.Reason())
}

func TestOffender(t *testing.T) {
	t.Parallel()
	gone := func(c *resolve.OffenderClaim) *resolve.OffenderClaim {
		c.Present, c.Misses = false, 1
		return c
	}
	edit := func(status, institution string) func(*snapshot.CorrectionsRow) {
		return func(r *snapshot.CorrectionsRow) { r.Status, r.Institution = status, institution }
	}
	undated := func(r *snapshot.CorrectionsRow) { r.DOB, r.BirthYear = nil, 0 }
	minor := func(r *snapshot.CorrectionsRow) { r.DOB, r.BirthYear = born(2010, 1, 1), 2010 }
	takeover := &resolve.Policy{ID: "import", Import: true}
	stored := resolve.OffenderState{Facts: resolve.OffenderFacts{Name: "STORED, SAM", Status: "paroled"}, Source: "before"}
	hidden := stored
	hidden.Visibility = resolve.Visibility{Reason: models.WithheldVanished, Since: noon(-5)}
	for name, c := range map[string]struct {
		claims                    []*resolve.OffenderClaim
		before                    resolve.OffenderState
		source, institution, told string // told: the status
		withheld                  models.WithheldReason
	}{
		"one source": {[]*resolve.OffenderClaim{offenderOf(department("p"), prisoner(0))}, resolve.OffenderState{}, "p", "HAYS STATE PRISON", "incarcerated", ""},
		"the newer value of two sources": {[]*resolve.OffenderClaim{
			offenderOf(department("p"), prisoner(0)), offenderOf(department("q"), prisoner(1, edit("paroled", "WARE STATE PRISON"))),
		}, resolve.OffenderState{}, "p", "WARE STATE PRISON", "paroled", ""},
		"a repeated value is no news": {[]*resolve.OffenderClaim{
			offenderOf(department("p"), prisoner(0), prisoner(2)), offenderOf(department("q"), prisoner(1, edit("paroled", "WARE STATE PRISON"))),
		}, resolve.OffenderState{}, "p", "WARE STATE PRISON", "paroled", ""},
		"an unknown status leaves the known one": {[]*resolve.OffenderClaim{
			offenderOf(department("p"), prisoner(0)), offenderOf(department("q"), prisoner(1, edit("unknown", ""))),
		}, resolve.OffenderState{}, "p", "HAYS STATE PRISON", "incarcerated", ""},
		"a takeover knows less than any source": {[]*resolve.OffenderClaim{
			offenderOf(takeover, prisoner(9, edit("released", "WARE STATE PRISON"))), offenderOf(department("p"), prisoner(0)),
		}, resolve.OffenderState{}, "p", "HAYS STATE PRISON", "incarcerated", ""},
		"absence hides and releases nobody": {
			[]*resolve.OffenderClaim{gone(offenderOf(department("p"), prisoner(0)))}, resolve.OffenderState{}, "p", "HAYS STATE PRISON", "incarcerated", models.WithheldVanished,
		},
		"who is on another list has not vanished": {[]*resolve.OffenderClaim{
			gone(offenderOf(department("p"), prisoner(0))), offenderOf(department("q"), prisoner(0)),
		}, resolve.OffenderState{}, "p", "HAYS STATE PRISON", "incarcerated", ""},
		"a takeover alone hides nobody": {
			[]*resolve.OffenderClaim{gone(offenderOf(takeover, prisoner(0)))}, resolve.OffenderState{}, "import", "HAYS STATE PRISON", "incarcerated", "",
		},
		"a birth that only an older row states may be a minor's": {
			[]*resolve.OffenderClaim{offenderOf(department("p"), prisoner(0, minor), prisoner(1, undated))}, resolve.OffenderState{}, "p", "HAYS STATE PRISON", "incarcerated", models.WithheldJuvenile,
		},
		"a record without a claim is what it was":      {nil, stored, "before", "", "paroled", ""},
		"and stays hidden if complete files lacked it": {nil, hidden, "before", "", "paroled", models.WithheldVanished},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := resolve.Offender(resolve.OffenderInput{Claims: c.claims, Before: c.before, Now: noon(10)})
			require.Equal(t, []string{c.source, c.institution, c.told}, []string{got.Source, got.Facts.Institution, got.Facts.Status})
			require.Equal(t, c.withheld, got.Visibility.Withheld())
			again := resolve.Offender(resolve.OffenderInput{Claims: c.claims, Before: got, Now: noon(11)})
			require.Equal(t, got, again, "resolving it again changes nothing")
		})
	}
}

func TestAFlagAndAnotherSourcesBirthOfAnAdultLeaveAnOffenderToAReview(t *testing.T) {
	t.Parallel()
	eachOrder(t, func(t *testing.T, first, second aged, hours [2]float64, want models.WithheldReason) {
		t.Helper()
		claim := func(id string, a aged, hours float64) *resolve.OffenderClaim {
			return offenderOf(department(id), prisoner(hours, func(r *snapshot.CorrectionsRow) { r.Withheld, r.DOB, r.BirthYear = a.withheld, a.dob, a.year }))
		}
		claims := []*resolve.OffenderClaim{claim("p", first, hours[0]), claim("q", second, hours[1])}
		got := resolve.Offender(resolve.OffenderInput{Claims: claims, Now: noon(10)})
		require.Equal(t, want, got.Visibility.Withheld(), "hours %v", hours)
	})
}
