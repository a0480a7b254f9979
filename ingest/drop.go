package ingest

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rollcall/ingest/fetch"
	"rollcall/models"
)

// readDrop reads what is new in the place where the source's files are dropped, oldest first, each file
// once: a file that was written again is new. Files of a run that failed are read again by the next one.
func (r *Runner) readDrop(ctx context.Context, s *Source, entry *models.SourceEntry) (*Report, error) {
	reading := r.Now()
	until, cancel := context.WithTimeout(ctx, s.Limits.Time)
	defer cancel()
	drop, groups, err := r.openDrop(until, s)
	if err != nil {
		return r.runOnce(ctx, &run{source: s, entry: entry}, func(context.Context, string) (*fetch.Found, error) { return nil, err })
	}
	defer drop.Close()
	if len(groups) == 0 {
		return r.nothingNew(ctx, s)
	}
	total := &Report{}
	for i, group := range groups {
		if i > 0 { // the run before changed what is known
			if entry, err = r.entry(ctx, s); err != nil {
				return nil, err
			}
		}
		report, err := r.runOnce(ctx, &run{source: s, entry: entry, reading: reading}, func(_ context.Context, dir string) (*fetch.Found, error) {
			r.progress("fetch", 0, 0, 0)
			return s.bring(until, drop, group, dir)
		})
		if err != nil {
			return nil, err
		}
		if report.State != models.RunFailed || s.untimed(group[0]) { // another name makes it another file
			if err := r.Store.TakeFiles(ctx, s.ID, marks(group), r.Now()); err != nil {
				return nil, err
			}
		}
		total.add(report, len(groups))
	}
	return total, nil
}

// openDrop opens the place and gives what is to be read now, each group a snapshot.
func (r *Runner) openDrop(ctx context.Context, s *Source) (*fetch.Drop, [][]fetch.Object, error) {
	drop, err := s.Transport.Drop(ctx, r.Keys)
	if err != nil {
		return nil, nil, err
	}
	files, err := drop.List(ctx)
	if err == nil {
		var taken map[string]string
		if taken, err = r.takenFiles(ctx, s, files); err == nil {
			var groups [][]fetch.Object
			if groups, err = s.due(files, taken); err == nil {
				return drop, groups, nil
			}
		}
	}
	drop.Close()
	return nil, nil, err
}

// takenFiles gives the marks of the files that were read, and forgets those that are long gone.
func (r *Runner) takenFiles(ctx context.Context, s *Source, files []fetch.Object) (map[string]string, error) {
	taken, err := r.Store.TakenFiles(ctx, s.ID)
	if err != nil {
		return nil, err
	}
	gone := maps.Clone(taken)
	for _, o := range files {
		delete(gone, o.Name)
	}
	if len(gone) > 0 {
		err = r.Store.ForgetFiles(ctx, s.ID, slices.Collect(maps.Keys(gone)), r.Now().Add(-KeepRaw))
	}
	return taken, err
}

// due groups files as snapshots, oldest first, and leaves out what was taken: of a source that lists
// everybody, a snapshot with one new file is read whole, as half of it would release the other half.
// What goes beyond the limits waits for the next run.
func (s *Source) due(files []fetch.Object, taken map[string]string) ([][]fetch.Object, error) {
	isNew := func(o fetch.Object) bool { return taken[o.Name] != o.Mark }
	var untimed []fetch.Object
	files = slices.DeleteFunc(files, func(o fetch.Object) bool {
		if s.untimed(o) && isNew(o) {
			untimed = append(untimed, o)
		}
		return s.untimed(o)
	})
	byTime := func(a, b fetch.Object) int {
		if c := a.At.Compare(b.At); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	}
	slices.SortFunc(files, byTime)
	var groups [][]fetch.Object
	if s.lists() {
		groups = slices.DeleteFunc(s.snapshotsOf(files), func(g []fetch.Object) bool { return !slices.ContainsFunc(g, isNew) })
	} else {
		for _, o := range files {
			if isNew(o) {
				groups = append(groups, []fetch.Object{o})
			}
		}
	}
	count, bytes := 0, int64(0)
	for i, g := range groups {
		count += len(g)
		for _, o := range g {
			bytes += o.Size
		}
		if count <= s.Limits.Pages && bytes <= s.Limits.Bytes {
			continue
		}
		if i == 0 {
			return nil, fmt.Errorf("%w: %s and what belongs to it are %d files of %d bytes, beyond the limits", fetch.ErrIncomplete, g[0].Name, count, bytes)
		}
		groups = groups[:i]
		break
	}
	if !s.lists() && len(groups) > 0 {
		groups = [][]fetch.Object{slices.Concat(groups...)}
	}
	if len(untimed) > 0 {
		groups = append(groups, untimed) // bring tells why they are not read
	}
	return groups, nil
}

// untimed tells that the name of a file does not tell its instant although the document says that names do. The time at
// which it was written stands for nothing then: an old file that is copied today would undo what newer ones told.
func (s *Source) untimed(o fetch.Object) bool { return s.Transport.Observed.Regex != "" && !o.Named }

// misnamed says so.
func (s *Source) misnamed(name string) error {
	return fmt.Errorf("the name %q does not tell the instant as transport.observed of %s says: name the file so", path.Base(name), s.ID)
}

// snapshotsOf groups files, ordered by their instants, as snapshots (groupParts); where names tell no instant all are one.
func (s *Source) snapshotsOf(files []fetch.Object) [][]fetch.Object {
	if s.Transport.Observed.Regex == "" && len(files) > 0 {
		return [][]fetch.Object{files}
	}
	return groupParts(files, func(o fetch.Object) part { return part{o.At, true, s.Transport.Observed.Stem(o.Name)} })
}

// bring copies the files of a snapshot, each into a directory of its own: names may be the same in
// several folders of a bucket.
func (s *Source) bring(ctx context.Context, drop *fetch.Drop, group []fetch.Object, dir string) (*fetch.Found, error) {
	found := &fetch.Found{}
	left := s.Limits.Bytes
	for i, o := range group {
		if s.untimed(o) {
			return nil, s.misnamed(o.Name)
		}
		own := filepath.Join(dir, fmt.Sprintf("%05d", i))
		if err := os.Mkdir(own, 0o700); err != nil {
			return nil, fmt.Errorf("make directory for files: %w", err)
		}
		to := filepath.Join(own, "file")
		n, err := drop.Copy(ctx, o.Name, to, left)
		if err != nil {
			return nil, err
		}
		left -= n
		found.Documents = append(found.Documents, fetch.Document{Name: path.Base(o.Name), Path: to, At: o.At})
	}
	return found, nil
}

func marks(group []fetch.Object) map[string]string {
	m := make(map[string]string, len(group))
	for _, o := range group {
		m[o.Name] = o.Mark
	}
	return m
}

// nothingNew notes that the place answered and holds nothing that was not read.
func (r *Runner) nothingNew(ctx context.Context, s *Source) (*Report, error) {
	now := r.Now()
	if err := r.Store.NoteNothingNew(ctx, s.ID, now); err != nil {
		return nil, err
	}
	report := newReport(0, s.ID)
	report.SnapshotAt, report.Note = now.Truncate(time.Second), "no file is new"
	return report, nil
}
