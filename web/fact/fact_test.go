package fact

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/web/words"
)

func TestFactsAreWrittenAsTheirFieldSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ field, text, want string }{
		{"bookingDate", "2026-03-08T14:30:00-04:00", "Mar 8, 2026, 2:30 PM"},
		{"releaseDate", "2026-03-08T14:30:00-04:00", "Mar 8, 2026, 2:30 PM"},
		{"releaseDate", "2031-05-01", "May 1, 2031"},
		{"dob", "1984-02-29", "Feb 29, 1984"},
		{"birthYear", "1984", "1984"},
		{"agency", "GSP", "GSP"},
		{"bondAmount", "6600.00", "$6,600"},
		{"bondAmount", "1250.05", "$1,250.05"},
		{"releaseInferred", "true", "estimated"},
		{"releaseDateProjected", "false", "no"},
		{"category", "SEX_OFFENDER", "sex offender"},
		{"categories", `["PAROLEE","SEX_OFFENDER"]`, "parolee; sex offender"},
		{"charges", `["DUI","FTA"]`, "DUI; FTA"},
		{"charges", `[]`, "none"},
		{"dispositions", `[{"date":"2026-05-02","outcome":"PLEA","sentence":null}]`, "PLEA, May 2, 2026"},
		{"chargeDetails", `[{"description":"DUI","statute":"40-6-391","severity":null,"bondAmount":"1500.00","bondText":null,"disposition":null}]`, "DUI, 40-6-391, bond $1,500"},
		// Words of people are never taken for a value of another kind.
		{"institution", "true", "true"},
		{"judge", "2026-03-08", "2026-03-08"},
		{"sentence", "[2 YEARS]", "[2 YEARS]"},
		// What is not as it should be is shown as it is.
		{"bondAmount", "SEE JUDGE", "SEE JUDGE"},
		{"charges", "DUI", "DUI"},
		{"dob", "unknown", "unknown"},
	} {
		require.Equal(t, c.want, Value(c.field, &c.text).String(), "%s %s", c.field, c.text)
	}
	dob, err := models.ParseDate("1984-02-29")
	require.NoError(t, err)
	require.Equal(t, "born Feb 29, 1984", Born(&dob, new(1984)).String())
	require.Equal(t, "born 1984", Born(nil, new(1984)).String())
	require.Equal(t, "birth date not stated", Born(nil, nil).String())
	require.Equal(t, "no amount", Value("bondAmount", nil).String())
	require.Equal(t, "nothing", Value("judge", nil).String())
}

// title is a casing that tells its three kinds of texts apart.
var title = Casing{
	Words: func(s string) words.Text { return words.Plain("w:" + strings.ToLower(s)) },
	Name:  func(s string) words.Text { return words.Plain("n:" + strings.ToLower(s)) },
	Term:  func(s string) words.Text { return words.Plain("t:" + strings.ToLower(s)) },
}

func TestACasingWritesTextsOfSourcesAndNothingElse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ field, text, want string }{
		{"judge", "QUILL", "n:quill"},
		{"institution", "HAYS", "n:hays"},
		{"offense", "THEFT", "w:theft"},
		{"sentence", "LIFE", "t:life"},
		{"charges", `["DUI","FTA"]`, "w:dui; w:fta"},
		{"status", "PENDING", "pending"},
		{"bondAmount", "SEE JUDGE", "SEE JUDGE"},
		{"dispositions", `[{"date":"2026-05-02","outcome":"PLEA","sentence":"LIFE"}]`, "w:plea, t:life, May 2, 2026"},
		{"chargeDetails", `[{"description":"DUI","statute":"40-6-391(A)","severity":"FELONY","bondText":"NO BOND"}]`, "w:dui, 40-6-391(A), felony, NO BOND"},
	} {
		require.Equal(t, c.want, title.Value(c.field, &c.text).String(), "%s %s", c.field, c.text)
	}
}

func TestAChangeOfCapitalsAloneIsShownAsItWasWritten(t *testing.T) {
	t.Parallel()
	said := func(before, after *string) string {
		from, to := title.Change("judge", before, after)
		return from.String() + " → " + to.String()
	}
	require.Equal(t, "QUILL → Quill", said(new("QUILL"), new("Quill")))
	require.Equal(t, "n:quill → n:teague", said(new("QUILL"), new("TEAGUE")))
	require.Equal(t, "nothing → n:teague", said(nil, new("TEAGUE")))
}

func TestChipsHaveOneToneAMeaning(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 8, 12, 0, 0, 0, time.UTC)
	absent := &models.Booking{ReleaseDate: &at, ReleaseInferred: true, ReleaseAbsent: true, Status: models.Released}
	later := at.Add(time.Hour)
	reported := &models.Booking{ReleaseDate: &later, Status: models.Released}
	for _, c := range []struct {
		chip       Chip
		word, tone string
	}{
		{State(models.Booked), "in custody", "booked"},
		{Custody(absent), "no longer listed", "released"},
		{CustodyOf([]*models.Booking{absent, {Status: models.Booked}}), "in custody", "booked"},
		{CustodyOf([]*models.Booking{absent, reported}), "released", "released"},
		{CustodyOf(nil), "", ""},
		{State(models.Incarcerated), "incarcerated", "booked"},
		{State(models.ClosedCase), "closed", ""},
		{State(models.WarrantCase), "warrant", "warn"},
		{Sure(models.High), "high confidence", "good"},
		{Sure(models.Low), "low confidence", ""},
		{Current(string(models.SourceHeld)), "held for a check", "held"},
		{Current(models.ShownArchived), "archived", ""},
		{Severity("Felony"), "felony", "plain grave"},
		{Severity("misdemeanor"), "misdemeanor", "plain"},
	} {
		require.Equal(t, []string{c.word, c.tone}, []string{c.chip.Word.String(), c.chip.Tone})
	}
}

func TestWhatHappenedAndWhyIsSaidInWords(t *testing.T) {
	t.Parallel()
	require.Equal(t, "booked, bond changed", Events([]models.EventKind{models.EventBooking, models.EventBondChange}).String())
	require.Equal(t, "new kind", Event("new_kind").String())
	changed := &models.EventFacts{BondCents: new(int64(415000))}
	step := StepOf(models.EventBondChange, changed)
	require.Equal(t, []string{"no amount", "$4,150"}, []string{step.From.String(), step.To.String()})
	require.Nil(t, StepOf(models.EventBooking, changed), "another event changes no bond")
	require.Nil(t, StepOf(models.EventBondChange, nil), "of a record that must not be shown nothing is known")
	var but []bool
	for _, r := range Reasons([]string{"surname agrees", "middle name differs", "birth date not compared, the alert has none: a namesake is possible"}) {
		but = append(but, r.But)
	}
	require.Equal(t, []bool{false, true, true}, but)
}

func TestAReleaseIsCalledByHowItIsKnown(t *testing.T) {
	t.Parallel()
	r := &models.Release{At: time.Date(2026, 3, 8, 12, 0, 0, 0, time.UTC)}
	for basis, expected := range map[models.ReleaseBasis][4]string{
		models.ReleaseReported: {"Released", "released Mar 8, 2026, 8:00 AM", "", "Held for"},
		models.ReleaseUntimed:  {"Released about", "released about Mar 8, 2026, 8:00 AM", "The jail did not report the time.", "Held for"},
		models.ReleaseAbsent:   {"No longer listed since", "no longer listed since Mar 8, 2026, 8:00 AM", "The jail did not report a release.", "Listed for"},
	} {
		r.Basis = basis
		require.Equal(t, expected[0], ReleaseName(r).String())
		require.Equal(t, expected[1], Released(r).String())
		require.Equal(t, expected[2], ReleaseNote(r).String())
		require.Equal(t, expected[3], StayName(r).String())
	}
	require.Empty(t, Released(nil))
}

func TestAStayOfWhichNoTimeIsStatedIsCountedInDays(t *testing.T) {
	t.Parallel()
	day := models.Date{Year: 2026, Month: 11, Day: 1}.In(models.Georgia) // 25 hours long
	for says, stay := range map[string][2]time.Time{
		"10 hours":        {day.Add(time.Hour), day.Add(11 * time.Hour)},
		"less than a day": {day, day.Add(11 * time.Hour)},
		"1 day":           {day.Add(20 * time.Hour), day.Add(25 * time.Hour)},
		"30 days":         {day, day.AddDate(0, 0, 30).Add(20 * time.Hour)},
	} {
		require.Equal(t, says, Stay(stay[0], stay[1]).String())
	}
}

func TestABondIsAnAmountOrWhyThereIsNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bond       models.Bond
		said, line string
	}{
		{models.Bond{Cents: new(int64(50_000))}, "$500", "$500 bond"},
		{models.Bond{Case: models.BondRefused}, "no bond", "no bond"},
		{models.Bond{Case: models.BondUnset}, "no amount set", "no amount set"},
		{models.Bond{Case: models.BondNotStated}, "not stated", ""},
	} {
		require.Equal(t, []string{c.said, c.line}, []string{Bond(c.bond).String(), BondLine(c.bond).String()})
	}
}
