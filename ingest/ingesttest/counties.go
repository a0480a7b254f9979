// Package ingesttest writes files of the common CSV and feeds them, so that tests of the other rooms
// see what readers and operators see of a source whose rows name their county. It is for tests only.
package ingesttest

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/ingest/raw"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
)

// Common is the id of the shipped source of the common CSV.
const Common = "common-csv"

// Counties is how many counties a file of CommonCSV names, and People how many people each of them has in jail.
const (
	Counties = 20
	People   = 30
)

const commonColumns = "county_name,timestamp,url,inmate_id,inmate_lastname,inmate_firstname,inmate_middlename,inmate_sex,inmate_race,inmate_age,inmate_dob,inmate_address," +
	"booking_timestamp,release_timestamp,processing_numbers,agency,facility,charges,severity,bond_amount,current_status,court_dates,days_jailed,other,notes\n"

// Inmate is a row of the common CSV.
type Inmate struct {
	// County is its name, such as Ben Hill.
	County string
	// N counts the people of the county from 0. The name is made of it.
	N int
	// Key is the number of the booking.
	Key string
	// Released is the text of the release as collectors write it, such as 2026-03-08 09:00:00 EST; empty: in jail.
	Released string
	// Bond is in whole dollars.
	Bond int
}

// CommonCSV writes a file as of an instant: People of each of the first Counties of all, as change leaves
// them. Those that change reports as not listed have no row. end is the last line; empty: none.
func CommonCSV(all []*models.County, end string, at time.Time, change func(*Inmate) (listed bool)) string {
	var out strings.Builder
	out.WriteString(commonColumns)
	for _, c := range all[:Counties] {
		for n := range People {
			p := Inmate{County: c.Name, N: n, Key: fmt.Sprintf("A%d", n), Bond: 500}
			if !change(&p) {
				continue
			}
			fmt.Fprintf(&out, "%s,%s EST,,%s,QUILLFEATHER%c,%s,,,,,1980-01-02,,2026-01-05 10:%02d:00 EST,%s,,,,ARSON,Felony,$%d.00,,,,,\n",
				p.County, at.In(models.Georgia).Format("2006-01-02 15:04:05"), p.Key, 'A'+rune(p.N%26), []string{"WREN", "ORLA"}[p.N/26], p.N, p.Released, p.Bond)
		}
	}
	if end != "" {
		out.WriteString(end + "\n")
	}
	return out.String()
}

// Unchanged leaves everybody as they were.
func Unchanged(*Inmate) bool { return true }

// OneReplaced returns a change of a file after which a county would release everybody whom it has in jail.
// Of each other county one bond is 700 dollars.
func OneReplaced(turned *models.County, at time.Time) func(*Inmate) bool {
	return func(p *Inmate) bool {
		switch {
		case p.County == turned.Name:
			p.Released = at.In(models.Georgia).Format("2006-01-02 15:04:05 EST")
		case p.N == 0:
			p.Bond = 700
		}
		return true
	}
}

// WhyHeld is why OneReplaced is held, in the words for operators.
const WhyHeld = "it would release 30 of the 30 people it has in jail at once: a column may have moved or the source document may be wrong"

// HoldOne feeds the common CSV two times until now, the second time with OneReplaced. It returns the county
// that is held since; the other 19 have gone on.
func HoldOne(tb testing.TB, s *store.Store, now time.Time) *models.County {
	tb.Helper()
	document, err := ingest.Load(Common)
	require.NoError(tb, err)
	seal, err := raw.NewSeal([]byte("a secret key of a test, 32 bytes"))
	require.NoError(tb, err)
	runner := &ingest.Runner{Store: s, Seal: seal, Dir: tb.TempDir(), Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }}
	feed := func(at time.Time, change func(*Inmate) bool) *ingest.Report {
		file := filepath.Join(tb.TempDir(), "common.csv")
		require.NoError(tb, os.WriteFile(file, []byte(CommonCSV(s.Counties().All(), "", at, change)), 0o600))
		report, err := runner.Run(context.WithoutCancel(tb.Context()), document, ingest.Input{Files: []string{file}, At: at})
		require.NoError(tb, err)
		return report
	}
	turned := s.Counties().All()[7]
	require.Equal(tb, Counties*People, feed(now.Add(-48*time.Hour), Unchanged).New)
	r := feed(now, OneReplaced(turned, now.Add(-3*time.Hour)))
	require.Equal(tb, []any{source.RunPartial, Counties - 1}, []any{r.State, r.Changed}, r.String())
	return turned
}
