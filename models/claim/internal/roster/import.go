package roster

import (
	"context"
	"iter"
	"strconv"
	"strings"

	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
)

// Import takes bookings of another system over with their ids, in one transaction. A booking that is known by its id stays
// as it is, so a second import changes nothing. New ids of a county and year go on above the highest. Any source knows
// better than a takeover (resolve.Policy, Import).
func Import(ctx context.Context, on engine.Database, r snapshot.Reconciler, rows iter.Seq2[*snapshot.ImportedBooking, error]) (snapshot.Applied, error) {
	im := &bookingImport{roster: newRoster()}
	applied, _, err := engine.Reconcile(ctx, on, Family, r, incomingBookings(keyedByID(rows), new(int)), im.steps())
	return applied, err
}

// bookingImport is a takeover of bookings on its way.
type bookingImport struct{ *roster }

// keyedByID returns rows of a takeover under their ids, which are the keys of its claims.
func keyedByID(rows iter.Seq2[*snapshot.ImportedBooking, error]) iter.Seq2[*snapshot.RosterRow, error] {
	return func(yield func(*snapshot.RosterRow, error) bool) {
		for r, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			row := r.RosterRow
			row.Key = r.ID
			if !yield(&row, nil) {
				return
			}
		}
	}
}

// steps returns the steps of a takeover. There is nobody to recognise and nobody absent.
func (im *bookingImport) steps() []engine.Step {
	return []engine.Step{
		{
			Name: "known ids", Needs: []string{engine.Staged, engine.Locked}, Makes: []string{engine.Folded, engine.Judged},
			Why: "what is known by id stays as it is, and of an id that comes twice the first row counts",
			Do:  im.on(im.dropKnown),
		},
		{
			Name: "insert", Needs: []string{engine.Folded, engine.Judged}, Makes: []string{engine.Inserted},
			Why: "bookings are made with the ids that they had",
			Do:  im.on(im.insert),
		},
		{
			Name: "end filling", Needs: []string{engine.Inserted}, Makes: []string{engine.Indexed},
			Why: "indexes are made at once",
			Do:  engine.EndFilling,
		},
		{
			Name: "causes", Needs: []string{engine.Inserted, engine.Indexed}, Makes: []string{engine.Records},
			Why: "what is withheld takes others of the same person with it",
			Do:  im.on(im.causes),
		},
		{
			Name: "news", Needs: []string{engine.Records},
			Why: "what was reported of a juvenile is taken back; a takeover itself is no news",
			Do:  im.on(im.news),
		},
		{
			Name: "count", Needs: []string{engine.Records},
			Why: "the report states how many records were withheld",
			Do:  im.on(im.count),
		},
	}
}

// dropKnown takes the rows out of the staged ones whose id is known, and those that repeat an id.
// What is left are bookings that nobody here knows, so a second takeover finds nothing to do.
func (im *bookingImport) dropKnown(ctx context.Context) (err error) {
	im.policed[im.SourceID] = true
	if im.Applied.Repeated, err = im.Exec(ctx, "drop_repeated_ids", nil); err != nil {
		return err
	}
	if im.Applied.Unchanged, err = im.Exec(ctx, "drop_known_ids", nil); err != nil {
		return err
	}
	// Of ids that come twice the first row is left.
	im.Repeats = false
	return engine.NoteCounties(ctx, im.Run)
}

// count counts the bookings of the takeover that must not be shown.
func (im *bookingImport) count(ctx context.Context) error {
	return im.One(ctx, "count_withheld", engine.Args{"first": im.firstID, "gen": im.Gen}, &im.Applied.Withheld)
}

// sequence returns year and number of a public id of the shape {county}-{year}-{sequence}, where county is slug; ok is false
// for other ids, which stand beside the sequences.
func sequence(slug, id string) (year int16, n int64, ok bool) {
	rest, ours := strings.CutPrefix(id, slug+"-")
	first, last, dashed := strings.Cut(rest, "-")
	y, err := strconv.ParseInt(first, 10, 16)
	if !ours || !dashed || len(first) != 4 || err != nil {
		return 0, 0, false
	}
	n, err = strconv.ParseInt(last, 10, 64)
	return int16(y), n, err == nil && n > 0
}
