package simulator

import (
	"io"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/ingest/fetch"
	"rollcall/match"
	"rollcall/models"
)

// visit asks a feed over HTTP as its shipped document says, and gives what is kept.
func visit(t *testing.T, b bundle, feed Feed) ([]string, error) {
	t.Helper()
	server := httptest.NewServer(b.Handler())
	t.Cleanup(server.Close)
	source, err := ingest.Load(feed.Shape)
	require.NoError(t, err)
	source.Transport.Settings["base"] = server.URL + feed.Base
	source.Transport.Settings["county"] = feed.County
	source.Transport.Pause = time.Microsecond
	client, err := source.Transport.NewClient()
	require.NoError(t, err)
	found, err := source.Transport.Get(t.Context(), client, fetch.Bounds{Bytes: 64 << 20, Pages: 2000, Time: time.Minute}, t.TempDir(), b.clock.now(), fetch.Caller{})
	require.NoError(t, err)
	docs := found.Documents
	texts := make([]string, len(docs))
	for i, doc := range docs {
		f, err := doc.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		texts[i] = string(text)
	}
	return texts, err
}

// crowd is a world whose jails fill several pages of every vendor.
func crowd() Options {
	return Options{Seed: 6, People: 6000, Still: true, Rosters: []Roster{
		{"hall", ShapeCitizen},
		{"houston", ShapeNewWorld},
		{"laurens", ShapeEagle},
		{"bibb", ShapeEagle},
		{"lowndes", ShapeConnect},
		{"cobb", ShapeConnect},
		{"floyd", ShapeDocket},
		{"ben-hill", ShapeRosterXML},
	}}
}

// TestTheShippedDocumentsReadTheirVendors takes every booking of a jail through fetch, decode and mapping.
func TestTheShippedDocumentsReadTheirVendors(t *testing.T) {
	t.Parallel()
	b := setup(t, crowd())
	for _, feed := range b.Feeds() {
		if feed.County == "" {
			continue
		}
		t.Run(feed.ID, func(t *testing.T) {
			t.Parallel()
			truth := map[string]Booking{}
			for _, booking := range slices.Concat(b.InCustody(feed.County), b.Departed(feed.County)) {
				truth[booking.Number] = booking
				truth[strings.ToUpper(booking.Name.LastFirst())+booking.Booked.In(models.Georgia).Truncate(time.Minute).Format(time.RFC3339)] = booking
			}
			texts, err := visit(t, b, feed)
			require.NoError(t, err)
			held := map[string]bool{}
			for _, text := range texts {
				preview := read(t, b, feed.Shape, text)
				require.Empty(t, preview.Bad)
				for _, row := range preview.Rows {
					key, ok := row["key"].(string)
					require.True(t, ok)
					if feed.Shape == ShapeEagle { // it has no booking number
						name, ok := row["name"].(string)
						require.True(t, ok)
						at, ok := row["booked_at"].(string)
						require.True(t, ok)
						key = strings.ToUpper(name) + at
					}
					booking, known := truth[key]
					require.True(t, known, key)
					require.False(t, held[booking.Number], "%s comes once", key)
					agree(t, feed, row, booking)
					if booking.InCustody() {
						held[booking.Number] = true
					}
				}
			}
			for _, booking := range b.InCustody(feed.County) {
				hidden := booking.Juvenile() && (feed.Shape == ShapeEagle || feed.Shape == ShapeConnect)
				require.NotEqual(t, hidden, held[booking.Number], booking.Number)
			}
		})
	}
}

// agree compares a row with the truth.
func agree(t *testing.T, feed Feed, row map[string]any, truth Booking) {
	t.Helper()
	name, ok := row["name"].(string)
	require.True(t, ok)
	require.Equal(t, match.Fold(truth.Name.LastFirst()), match.Fold(name))
	require.Equal(t, bondOf(truth), row["bond"], name)
	require.Len(t, row["charges"], len(truth.Charges), name)
	if truth.Juvenile() {
		require.NotEmpty(t, row["withheld"], "a juvenile is withheld")
	}
	if truth.InCustody() {
		require.NotContains(t, row, "released_at")
	} else {
		require.Contains(t, row, "released_at")
	}
	switch dob, have := row["dob"]; feed.Shape {
	case ShapeNewWorld, ShapeDocket, ShapeRosterXML:
		require.Equal(t, truth.Birth.Format(time.DateOnly), dob)
	case ShapeCitizen:
		require.True(t, !have || dob == truth.Birth.Format(time.DateOnly))
	case ShapeConnect:
		require.EqualValues(t, truth.Birth.Year(), row["birth_year"])
	}
}
