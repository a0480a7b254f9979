package store_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/account"
	"rollcall/models/link"
	"rollcall/models/photograph"
	"rollcall/models/source"
	"rollcall/models/store"
)

// modelled are the GORM models by the table or view that they read. One model may read several.
var modelled = map[string]any{
	"counties": models.County{}, "generations": models.Generation{},

	"sources": source.Row{}, "source_counties": source.County{}, "source_files": source.File{},
	"runs": source.Run{}, "archives": source.Archive{}, "archive_contents": source.ArchiveContent{}, "archive_chunks": source.ArchiveChunk{}, "quarantine": source.QuarantineEntry{}, "incidents": source.Incident{}, "incident_updates": source.IncidentUpdate{}, "source_releases": source.Release{}, "source_documents": source.Document{}, "pending_claims": source.PendingClaim{},

	"published_bookings": models.Booking{}, "published_cases": models.CourtCase{}, "published_corrections": models.CorrectionsRecord{},
	"reachable_bookings": models.Booking{}, "reachable_cases": models.CourtCase{}, "reachable_corrections": models.CorrectionsRecord{},
	"published_booking_charges": models.BookingChargeRow{}, "published_hearings": models.HearingRow{}, "published_dispositions": models.DispositionRow{},
	"reachable_booking_versions": models.FactVersion{}, "reachable_case_versions": models.FactVersion{}, "reachable_corrections_versions": models.FactVersion{},
	"known_bookings": link.KnownBooking{}, "known_cases": link.KnownCase{}, "known_corrections": link.KnownCorrections{},

	"decisions": models.DecisionRow{},

	"gdc_links": link.GdcRow{}, "court_links": link.CourtRow{}, "published_links": models.GdcLink{}, "published_court_links": models.CourtLink{},
	"link_decisions": link.Decision{}, "court_link_decisions": link.CourtDecision{}, "link_progress": link.Progress{}, "person_reports": models.PersonReport{}, "people_apart": link.PersonApart{}, "report_links": link.ReportLink{}, "linked_records": link.LinkedRecord{},

	"accounts": models.Account{}, "usage_hours": models.UsageHour{}, "account_events": models.AccountEvent{}, "api_keys": models.APIKey{},
	"atom_subscriptions": account.AtomSubscription{}, "calendar_subscriptions": models.CalendarSubscriptionRow{}, "idempotency_keys": models.IdempotencyKey{}, "saved_searches": account.SavedSearch{}, "users": models.User{}, "sign_in_links": models.SignInLink{},
	"sessions": models.Session{}, "passkeys": models.Passkey{}, "passkey_challenges": models.PasskeyChallenge{},

	"watchers": models.Watcher{}, "watcher_edits": models.WatcherEdit{}, "alert_accounts": models.AlertAccount{}, "change_batches": models.ChangeBatch{}, "changes": models.ChangeRow{},
	"hits": models.Hit{}, "published_hits": models.Hit{}, "dismissals": models.DismissedHit{}, "events": models.AlertEvent{}, "published_events": models.AlertEvent{},

	"photographs": photograph.Reference{}, "photograph_files": photograph.File{}, "photograph_runs": photograph.Progress{}, "photograph_removals": photograph.Removal{}, "removed_photographs": photograph.Removed{},
	"photograph_checks": photograph.Check{}, "published_photographs": photograph.Shown{}, "comparable_photographs": photograph.Pair{},

	"webhooks": models.Webhook{}, "webhook_secrets": models.WebhookSecret{}, "attempts": models.Attempt{}, "bin_requests_now": models.BinRequest{},
	"deliveries": models.Delivery{}, "deliveries_now": models.Delivery{}, "startable_deliveries": models.Delivery{},
}

// unmodelled are the tables and views without a model, and why they have none.
var unmodelled = func() map[string]string {
	out := map[string]string{
		"goose_db_version":   "is goose's",
		"bin_requests":       "statements write it, and readers have the model of its view",
		"claim_photographs":  "statements ask it which pictures somebody has",
		"host_turns":         "one statement takes a turn",
		"confirmation_mails": "statements count with it how often an address was asked",
		"jail_numbers":       "one statement finds bookings of one number with it",
		"needed_runs":        "retention asks it which documents are still needed",
	}
	for reason, names := range map[string]string{
		"package claim alone names it and writes it by sets; readers have the models of its views": "bookings booking_charges court_cases case_charges hearings dispositions corrections_records record_changes",
		"package claim writes and reads it by sets, and Go resolves it":                            "roster_claims court_claims corrections_claims claim_moves merged_links roster_sequences",
		"triggers write it, and lists and the index read it by sets":                               "roster_totals roster_days court_totals corrections_totals gone_records dropped_records",
		"triggers write it, and statements read the changes of a family from it":                   "tombstones",
		"statements ask it when a source showed a record":                                          "claims_seen",
		"statements compare keys and people with it":                                               "known_roster_claims",
		"statements ask it whether something of another relation may be shown":                     "withheld_bookings withheld_cases",
		"linking reads it by sets with pgx, a batch of records at once":                            "cases_to_link stays_to_link",
		"conditions of lists of published bookings ask it for charges":                             "charges_to_find",
		"statements follow merges through it, by sets":                                             "merges claim_origins",
	} {
		for name := range strings.FieldsSeq(names) {
			out[name] = reason
		}
	}
	return out
}()

// joined are fields of models that no relation holds, because the queries that read them join or reckon them.
var joined = []string{"CourtCase.NextHearing", "Archive.Digest", "Booking.ReleaseAbsent"}

// column is a column of a relation as PostgreSQL describes it.
type column struct {
	kind     string // type, such as "timestamp with time zone"
	table    bool   // of a table, so nullable is known
	nullable bool
}

// relations reads the columns of all tables and views, by relation and name. Those of the job queue and the statistics are
// left out: they are not ours.
func relations(t *testing.T, db *testdb.DB) map[string]map[string]column {
	t.Helper()
	rows, err := db.Pool.Query(t.Context(), `select c.relname, a.attname, format_type(a.atttypid, null), c.relkind = 'r', not a.attnotnull
 from pg_class c join pg_attribute a on a.attrelid = c.oid
 where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped and c.relname not like 'river\_%'`)
	require.NoError(t, err)
	out := map[string]map[string]column{}
	var relation, name string
	var c column
	_, err = pgx.ForEachRow(rows, []any{&relation, &name, &c.kind, &c.table, &c.nullable}, func() error {
		if out[relation] == nil {
			out[relation] = map[string]column{}
		}
		out[relation][name] = c
		return nil
	})
	require.NoError(t, err)
	return out
}

// Every table and view has a GORM model, or a reason why it has none; and no reason outlives its relation.
func TestEachRelationHasAModelOrAReason(t *testing.T) {
	t.Parallel()
	there := slices.Sorted(maps.Keys(relations(t, testdb.New(t))))
	listed := slices.AppendSeq(slices.Collect(maps.Keys(modelled)), maps.Keys(unmodelled))
	slices.Sort(listed)
	require.Equal(t, there, listed)
}

// What a model reads is there, in a type that its field takes, and a column that may be null has a field that says so.
func TestModelsFitTheirRelations(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, err := store.Open(t.Context(), db.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	there := relations(t, db)
	for relation, model := range modelled {
		parsed := &gorm.Statement{DB: s.Gorm()}
		require.NoError(t, parsed.Parse(model), relation)
		for name, field := range parsed.Schema.FieldsByDBName {
			what := relation + "." + name + " of " + parsed.Schema.Name + "." + field.Name
			c, ok := there[relation][name]
			if !ok {
				own := parsed.Schema.Table == relation // a table has not what a view of it adds, which is read alone
				require.True(t, slices.Contains(joined, parsed.Schema.Name+"."+field.Name) || !own && !field.Creatable && !field.Updatable, "%s is no column", what)
				continue
			}
			require.Contains(t, fitting(field), c.kind, what)
			if c.table && c.nullable {
				require.True(t, holdsNull(field), "%s may be null", what)
			}
		}
	}
}

// fitting are the types of columns that a field takes.
func fitting(f *schema.Field) []string {
	switch f.TagSettings["SERIALIZER"] {
	case "county":
		return []string{"smallint"}
	case "georgia", "utc":
		return []string{"timestamp with time zone"}
	case "date":
		return []string{"date"}
	case "list":
		return []string{"text[]"}
	case "json":
		return []string{"json", "jsonb"}
	}
	if f.IndirectFieldType == reflect.TypeFor[models.WithheldReason]() {
		return []string{"withheld_reason"}
	}
	switch f.IndirectFieldType.Kind() { //nolint:exhaustive // models have no others
	case reflect.Bool:
		return []string{"boolean"}
	case reflect.Int16:
		return []string{"smallint"}
	case reflect.Int, reflect.Int64:
		return []string{"smallint", "integer", "bigint"}
	case reflect.Float64:
		return []string{"real", "double precision"}
	case reflect.String:
		return []string{"text"}
	case reflect.Slice: // of bytes
		return []string{"bytea", "json", "jsonb"}
	}
	return nil
}

// holdsNull reports whether a field can tell null from a value, or reads it as an empty list.
func holdsNull(f *schema.Field) bool {
	return f.FieldType.Kind() == reflect.Pointer || f.FieldType.Kind() == reflect.Slice
}

// A model that is not listed above would be compared with nothing.
func TestEachModelIsListed(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, m := range modelled {
		if _, ok := m.(schema.Tabler); ok {
			listed[reflect.TypeOf(m).String()] = true
		}
	}
	written := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "TableName" && f.Recv != nil {
				if of, ok := f.Recv.List[0].Type.(*ast.Ident); ok {
					written[file.Name.Name+"."+of.Name] = true
				}
			}
		}
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, slices.Sorted(maps.Keys(written)), slices.Sorted(maps.Keys(listed)))
}
