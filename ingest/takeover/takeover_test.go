package takeover_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/ingest/raw"
	"rollcall/ingest/takeover"
	"rollcall/internal/testdb"
	"rollcall/models/store"
)

var files = map[string]string{
	"roster/ben-hill.csv": `id,name,dob,county,booking_date,release_date,charges,bond_amount,status,mugshot_url
ben-hill-2025-000007,MARLOWE TEAGAN QUILLFEATHER,1986-02-03,Ben Hill,2025-12-31T23:30:00-05:00,,BATTERY;THEFT BY TAKING,1500.00,booked,https://old.example.invalid/1.jpg
ben-hill-2025-000009,"O'BRANNIGAN, WREN",,Ben Hill,2025-12-30T10:00:00-05:00,2025-12-31T08:00:00-05:00,DUI,,released,
ben-hill-2026-000001,ORLA MOONSAIL,1987-05-05,Ben Hill,yesterday,,DUI,,booked,
ben-hill-2026-000002,PIP THISTLEDOWN,2012-01-01,Ben Hill,2026-01-02T10:00:00-05:00,,LOITERING,0.00,booked,
odd id,TOLLIVER BRACKENRIDGE,1987-05-06,Ben Hill,2026-01-02T10:00:00-05:00,2099-01-01T00:00:00-05:00,,12.5,booked,
`,
	"corrections.csv": `gdc_id,name,dob,category,institution,sentence,status,release_date,parole_end_date
1000000007,"QUILLFEATHER, MARLOWE T",1986-02-03,offender,DOOLY STATE PRISON,"12 YEARS, 8 MONTHS",incarcerated,2030-10-21,
1000000014,"BRACKENRIDGE, TOLLIVER",1987-05-06,parolee,,,paroled,2020-05-12,2031-01-01
1000000021,"NOBODY, NEMO",1987-05-06,wizard,,,paroled,2020-05-12,2031-01-01
`,
	"links.csv": `roster_id,gdc_id,confidence,mugshot_match
ben-hill-2025-000007,1000000007,high,true
ben-hill-2025-000099,1000000007,high,true
`,
	"courts.jsonl": `{"case_number":"2026-CR/000123 A","defendant":"QUILLFEATHER, MARLOWE T","offense":"BATTERY","court_type":"Superior","county":"Ben Hill","filed_date":"2026-01-05","status":"pending","judge":null,"next_hearing":null,"hearing_link":null,"hearings":[{"date":"2026-04-05","time":"09:00","judge":"HON. WINTERBOURNE","location":"COURTROOM 2A","zoom_link":null}],"dispositions":[]}
{"case_number":"X","defendant":
`,
}

// now is when these tests take over.
var now = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)

// bundle is an empty database, and a directory with the files of a takeover.
type bundle struct {
	*testing.T
	db     *testdb.DB
	dir    string
	im     *takeover.Importer
	runner *ingest.Runner
}

func setup(t *testing.T, files map[string]string) *bundle {
	t.Helper()
	b := &bundle{T: t, db: testdb.New(t), dir: t.TempDir()}
	b.write(files)
	store, err := store.Open(t.Context(), b.db.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	seal, err := raw.NewSeal([]byte("a secret key of a test, 32 bytes"))
	require.NoError(t, err)
	b.im = &takeover.Importer{Store: store, Seal: seal, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }}
	b.runner = &ingest.Runner{Store: store, Seal: seal, Dir: t.TempDir(), Log: b.im.Log, Now: b.im.Now}
	return b
}

func (b *bundle) write(files map[string]string) {
	b.Helper()
	for name, text := range files {
		path := filepath.Join(b.dir, name)
		require.NoError(b, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(b, os.WriteFile(path, []byte(text), 0o600))
	}
}

// takes takes the directory over.
func (b *bundle) takes() *takeover.Report {
	b.Helper()
	report, err := b.im.Import(b.Context(), b.dir)
	require.NoError(b, err)
	return report
}

// text gives the one text that a query gives.
func (b *bundle) text(query string) (s string) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), query).Scan(&s))
	return s
}

func TestImportTakesRecordsOverWithTheirIDs(t *testing.T) {
	t.Parallel()
	b := setup(t, files)
	report, text := b.takes(), b.text
	sources, err := b.im.Store.Sources(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, sources)
	for _, src := range sources {
		require.Equal(t, now, src.AsOf().UTC(), "what was taken over is as old as the takeover")
	}
	figures := map[string][]int{}
	for _, f := range report.Families {
		figures[f.Family] = []int{f.Rows, f.New, f.Known, f.Withheld, f.Quarantined}
	}
	require.Equal(t, map[string][]int{"roster": {4, 4, 0, 1, 1}, "corrections": {2, 2, 0, 0, 1}, "courts": {1, 1, 0, 0, 1}, "links": {2, 1, 0, 0, 1}}, figures)
	require.False(t, report.OK())
	require.Equal(t, map[string]int{"mugshot_url: photographs are not taken over": 1}, report.Families[0].LeftOut)
	require.Equal(t, "0", text(`select count(*) from bookings where has_photo`), "mugshot_url is null until the service serves photographs itself")

	require.Equal(t, "MARLOWE TEAGAN QUILLFEATHER|{BATTERY,\"THEFT BY TAKING\"}|150000|booked|t", text(`select concat_ws('|', name, charges, bond_cents, status, imported) from bookings where id = 'ben-hill-2025-000007'`))
	require.Equal(t, "juvenile", text(`select withheld from bookings where id = 'ben-hill-2026-000002'`))
	require.Equal(t, "booked", text(`select status from bookings where id = 'odd id' and planned_release is not null`))
	require.Equal(t, "high|t|t|imported", text(`select concat_ws('|', confidence, mugshot_match, pinned, origin) from gdc_links`))
	require.Equal(t, "2025:9 2026:2", text(`select string_agg(year || ':' || last, ' ' order by year) from roster_sequences`))
	require.Equal(t, "0", text(`select count(*) from record_changes`))

	for _, f := range b.takes().Families {
		require.Zero(t, f.New, f.Family)
	}

	t.Run("the first snapshot of the county adopts bookings and numbers go on", func(t *testing.T) {
		source, err := ingest.Load("common-csv")
		require.NoError(t, err)
		header := "county_name,timestamp,url,inmate_id,inmate_lastname,inmate_firstname,inmate_middlename,inmate_sex,inmate_race,inmate_age,inmate_dob,inmate_address,booking_timestamp,release_timestamp,processing_numbers,agency,facility,charges,severity,bond_amount,current_status,court_dates,days_jailed,other,notes\n"
		rows := "Ben Hill,2026-03-09 06:00:00 EST,,A1,QUILLFEATHER,MARLOWE,TEAGAN,M,B,,1986-02-03,,2025-12-31 23:30:00 EST,,,,,BATTERY | THEFT BY TAKING,,$1500.00 | ,,,,,\n" +
			"Ben Hill,2026-03-09 06:00:00 EST,,A2,NEWCOME,ADA,,F,W,,1990-02-03,,2025-12-31 22:30:00 EST,,,,,DUI,,,,,,,\n"
		b.write(map[string]string{"ben-hill_2026-03-09_06-00-00.csv": header + rows})
		r, err := b.runner.Run(t.Context(), source, ingest.Input{Files: []string{filepath.Join(b.dir, "ben-hill_2026-03-09_06-00-00.csv")}})
		require.NoError(t, err)
		require.Equal(t, []int{1, 1, 1, 0}, []int{r.New, r.Adopted, r.Changed, r.Quarantined}, r.String())
		require.Equal(t, "ben-hill-2025-000010", text(`select id from bookings where name like 'NEWCOME%'`))
		require.Equal(t, "f|common-csv:ben-hill", text(`select concat_ws('|', imported, source_id) from bookings where id = 'ben-hill-2025-000007'`))
	})
}
