package claim

import (
	"context"
	"iter"
	"strconv"
	"strings"

	"rollcall/models/snapshot"
)

// importBookings takes bookings of another system over with their ids, in one transaction. What is known by id stays as
// it is, so a second import changes nothing. New ids of a county and year go on above the highest.
func importBookings(ctx context.Context, on Database, r snapshot.Reconciler, rows iter.Seq2[*snapshot.ImportedBooking, error]) (snapshot.Applied, error) {
	im := &bookingImport{roster: newRoster()}
	applied, _, err := reconcile(ctx, on, rosterFamily, r, incomingBookings(keyedByID(rows), new(int)), im.steps())
	return applied, err
}

// bookingImport is a takeover of bookings on its way.
type bookingImport struct{ *roster }

// keyedByID are rows of a takeover under their ids, which are the keys of its claims.
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

func (im *bookingImport) steps() []step {
	with := func(do func(ctx context.Context) error) func(context.Context, *run) error {
		return func(ctx context.Context, r *run) error {
			im.run = r
			return do(ctx)
		}
	}
	return []step{
		{
			name: "known ids", needs: []string{staged, locked}, makes: []string{folded, judged},
			why: "what is known by id stays as it is, and of an id that comes twice the first row counts",
			do:  with(im.dropKnown),
		},
		{
			name: "insert", needs: []string{folded, judged}, makes: []string{records},
			why: "bookings are made with the ids that they had",
			do:  with(im.insert),
		},
		{
			name: "end filling", needs: []string{records},
			why: "indexes are made at once",
			do:  endFilling,
		},
		{
			name: "causes", needs: []string{records}, makes: []string{records},
			why: "what is withheld takes others of the same person with it",
			do:  with(im.causes),
		},
		{
			name: "news", needs: []string{records},
			why: "what others told of a juvenile is taken back; a takeover itself is no news",
			do:  with(im.news),
		},
		{
			name: "count", needs: []string{records},
			why: "the report tells what was withheld",
			do:  with(im.count),
		},
	}
}

// dropKnown takes the rows out that say nothing new.
func (im *bookingImport) dropKnown(ctx context.Context) (err error) {
	im.policed[im.SourceID] = true
	if im.applied.Repeated, err = im.exec(ctx, "drop_repeated_ids", nil); err != nil {
		return err
	}
	if im.applied.Unchanged, err = im.exec(ctx, "drop_known_ids", nil); err != nil {
		return err
	}
	im.repeats = false
	return im.do(ctx, "note_counties", args{"source": im.SourceID})
}

func (im *bookingImport) count(ctx context.Context) error {
	return im.one(ctx, "count_withheld", args{"first": im.firstID, "gen": im.gen}, &im.applied.Withheld)
}

// sequence is the number of a public id of the shape {county}-{year}-{sequence}, and its year; ok is false for other ids.
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
