package simulator

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
)

// The tests here take what the simulator publishes through the shipped source documents and compare with the truth:
// were the two to drift apart, the demo would show an empty house.

// read makes a feed's rows as the shipped document of that id would.
func read(t *testing.T, b bundle, id, text string) *ingest.Preview {
	t.Helper()
	source, err := ingest.Load(id)
	require.NoError(t, err)
	all := []*models.County{{ID: 999, Slug: source.County}}
	for i, roster := range b.options.Rosters {
		all = append(all, &models.County{ID: int16(i + 1), Slug: roster.County, Name: CountyName(roster.County)})
	}
	preview, err := source.Preview("feed", []byte(text), models.CountiesOf(all), b.clock.now())
	require.NoError(t, err)
	require.Empty(t, preview.Unknown, "the document knows every word")
	return preview
}

// moved is a world that has lived for an hour.
func moved(t *testing.T) bundle {
	t.Helper()
	b := setup(t, Options{Seed: 1, People: 3000})
	b.clock.forward(time.Hour)
	return b
}

// bondOf writes a booking's bond as previews do.
func bondOf(b Booking) any {
	if cents, ok := b.Bond(); ok {
		return dollars(cents)
	}
	return nil
}

func TestTheZuercherDocumentReadsEveryBooking(t *testing.T) {
	t.Parallel()
	b := moved(t)
	truth := map[string]Booking{}
	for _, booking := range b.InCustody("bartow") {
		truth[booking.Name.Upper().LastFirst()] = booking
	}
	rows := 0
	for start := 0; start < len(b.InCustody("bartow")); start += 100 {
		preview := read(t, b, "zuercher", b.fetch(t, "POST", "/zuercher/bartow/api/portal/inmates/load", fmt.Sprintf(`{"paging":{"start":%d,"count":100}}`, start)))
		require.Equal(t, len(b.InCustody("bartow")), *preview.Total)
		rows += len(preview.Rows) + len(preview.Bad)
		for _, row := range preview.Rows {
			name, ok := row["name"].(string)
			require.True(t, ok)
			require.Contains(t, truth, name)
			require.Equal(t, bondOf(truth[name]), row["bond"], name)
			require.Len(t, row["charges"], len(truth[name].Charges))
			if truth[name].Juvenile() {
				require.NotEmpty(t, row["withheld"], "a juvenile is withheld")
			}
		}
	}
	require.Equal(t, len(b.InCustody("bartow")), rows)
}

func TestTheCommonCSVDocumentReadsEveryBooking(t *testing.T) {
	t.Parallel()
	b := moved(t)
	truth := map[string]Booking{}
	for _, booking := range append(b.InCustody("glynn"), b.Departed("glynn")...) {
		truth["https://jail.example.invalid/glynn/"+booking.Number] = booking
	}
	preview := read(t, b, "common-csv", b.fetch(t, "GET", "/common-csv/glynn/roster.csv", ""))
	require.Empty(t, preview.Bad)
	held, released := 0, 0
	for _, row := range preview.Rows {
		locator, ok := row["locator"].(string)
		require.True(t, ok)
		booking, ok := truth[locator]
		require.True(t, ok, locator)
		require.Equal(t, bondOf(booking), row["bond"], locator)
		require.Equal(t, "glynn", row["county"])
		if booking.InCustody() {
			require.NotContains(t, row, "released_at")
			held++
			continue
		}
		require.Equal(t, booking.Released.In(models.Georgia).Format(time.RFC3339), row["released_at"])
		released++
	}
	require.Equal(t, len(b.InCustody("glynn")), held)
	require.Positive(t, released)
}

func TestTheCourtDocumentReadsEveryCase(t *testing.T) {
	t.Parallel()
	b := moved(t)
	preview := read(t, b, "court-delta", b.fetch(t, "GET", "/court-delta/cases.txt", ""))
	require.Empty(t, preview.Bad)
	cases, charges, hearings, removed := 0, 0, 0, 0
	for _, row := range preview.Rows {
		for key, count := range map[string]*int{"case": &cases, "charges": &charges, "hearings": &hearings, "removed": &removed} {
			if _, ok := row[key]; ok {
				*count++
			}
		}
	}
	require.Equal(t, len(b.Cases()), cases)
	wantCharges, wantHearings := 0, 0
	for _, c := range b.Cases() {
		wantCharges += len(c.Charges)
		wantHearings += len(c.Hearings)
	}
	require.Equal(t, wantCharges, charges)
	require.Equal(t, wantHearings, hearings)
	require.Positive(t, removed)
}

func TestTheCorrectionsDocumentReadsEveryOffender(t *testing.T) {
	t.Parallel()
	b := moved(t)
	truth := map[string]Offender{}
	for _, o := range b.Offenders() {
		truth[o.GDC] = o
	}
	preview := read(t, b, "corrections-fixed", b.fetch(t, "GET", "/corrections-fixed/offenders.txt", ""))
	require.Empty(t, preview.Bad)
	require.Len(t, preview.Rows, len(truth))
	status := map[Location]string{Incarcerated: "incarcerated", Paroled: "paroled", Discharged: "released"}
	for _, row := range preview.Rows {
		id, ok := row["id"].(string)
		require.True(t, ok)
		o := truth[id]
		require.Equal(t, status[o.Location], row["status"], id)
		if o.YearOnly {
			require.EqualValues(t, o.Birth.Year(), row["birth_year"])
		} else {
			require.Equal(t, o.Birth.Format(time.DateOnly), row["dob"])
		}
		if len(o.Sentences) == 1 && o.Sentences[0].Life() && o.Location != Discharged {
			require.Equal(t, "LIFE", row["sentence"])
		}
	}
}
