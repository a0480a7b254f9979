package linkage

import (
	"context"
	"maps"
	"slices"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/link"
)

// courtLinks links court cases with bookings and corrections records, after these are linked with each
// other. A county's cases meet the bookings of that county only.
type courtLinks struct {
	run     *link.Run
	records func(context.Context) (*match.Linker, error) // the corrections records, indexed when first asked for
	report  *Report
}

// link brings the links of cases up to date. bookings are those whose own link was looked at.
func (l *courtLinks) link(ctx context.Context, bookings []int64) error {
	due, err := l.dueCases(ctx, bookings)
	if err != nil {
		return err
	}
	l.report.Cases = len(due)
	for chunk := range slices.Chunk(due, chunkSize) {
		cases, err := l.run.Cases(ctx, chunk)
		if err != nil {
			return err
		}
		found, err := l.findAll(ctx, cases)
		if err != nil {
			return err
		}
		n, err := l.run.SaveCourtLinks(ctx, chunk, found)
		if err != nil {
			return err
		}
		r := l.report
		r.CasesMade, r.CasesChanged, r.CasesRemoved = r.CasesMade+n.Made, r.CasesChanged+n.Changed, r.CasesRemoved+n.Removed
	}
	return nil
}

// dueCases adds the cases near what changed: near a changed booking of their county, near a corrections
// record as it was or as it is, and those linked with a booking that changed or was linked anew.
func (l *courtLinks) dueCases(ctx context.Context, bookings []int64) ([]int64, error) {
	due := l.run.DueCases
	if l.run.Full {
		return l.run.ByCounty(ctx, due)
	}
	// A case takes the record of its booking, so a new link of the booking may be one of the case.
	linked, err := l.run.CasesOfBookings(ctx, bookings)
	if err != nil {
		return nil, err
	}
	near, err := l.casesNear(ctx)
	if err != nil {
		return nil, err
	}
	due = slices.Concat(due, linked, near)
	slices.Sort(due)
	return l.run.ByCounty(ctx, slices.Compact(due))
}

// casesNear returns the cases whose defendant may be one of the people that changed: bookings of their county, and corrections
// records as they were and as they are.
func (l *courtLinks) casesNear(ctx context.Context) ([]int64, error) {
	faces, err := l.run.Faces(ctx, l.run.Due)
	if err != nil || len(faces)+len(l.run.Versions) == 0 {
		return nil, err
	}
	touched := map[int16]bool{}
	for i := range faces {
		touched[faces[i].County] = true
	}
	counties := slices.Collect(maps.Keys(touched))
	if len(l.run.Versions) > 0 {
		counties = nil // a record is of no county
	}
	stays, records := byCounty(faces), match.NewLinker(versionsOf(l.run))
	var near []int64
	scan := crowd[models.LinkFace]{near: func(f *models.LinkFace) bool {
		who := personOf(f)
		if s := stays[f.County]; s != nil && len(s.Near(who)) > 0 {
			return true
		}
		return len(records.Near(who)) > 0
	}, keep: func(f *models.LinkFace) { near = append(near, f.Key) }}
	if err := l.run.EachCase(ctx, counties, scan.add); err != nil {
		return nil, err
	}
	scan.flush()
	return near, nil
}

// byCounty indexes people by the county that they were booked in; their ids are their places in faces.
func byCounty(faces []models.LinkFace) map[int16]*match.Linker {
	lists := map[int16][]match.Record{}
	for i := range faces {
		f := &faces[i]
		lists[f.County] = append(lists[f.County], match.Record{ID: placeID(i), Name: match.Parse(f.Name), Born: match.ParseBirth(f.Born)})
	}
	out := make(map[int16]*match.Linker, len(lists))
	for county, list := range lists {
		out[county] = match.NewLinker(list)
	}
	return out
}

// personOf parses name and birth as the matcher wants them.
func personOf(f *models.LinkFace) *match.Booking {
	return &match.Booking{Name: match.Parse(f.Name), Born: match.ParseBirth(f.Born)}
}

// findAll finds the links of cases, which come county by county.
func (l *courtLinks) findAll(ctx context.Context, cases []models.LinkCase) ([]models.FoundCourtLink, error) {
	records, err := l.records(ctx)
	if err != nil {
		return nil, err
	}
	var found []models.FoundCourtLink
	for len(cases) > 0 {
		n := slices.IndexFunc(cases, func(c models.LinkCase) bool { return c.County != cases[0].County })
		if n < 0 {
			n = len(cases)
		}
		near, stays, err := l.staysNear(ctx, cases[:n])
		if err != nil {
			return nil, err
		}
		links := make([][]models.FoundCourtLink, n)
		inParallel(n, func(i int) { links[i] = linksOfCase(&cases[i], near[i], stays, records, l.run.Population) })
		found = slices.Concat(append(links, found)...)
		cases = cases[n:]
	}
	return found, nil
}

// staysNear finds the bookings near each of some cases of one county. The defendants are indexed and the bookings read past
// them, because few cases are due and a county has many bookings.
func (l *courtLinks) staysNear(ctx context.Context, cases []models.LinkCase) (near [][]int64, stays map[int64]*models.LinkStay, err error) {
	defendants := make([]match.Record, len(cases))
	inParallel(len(cases), func(i int) {
		defendants[i] = match.Record{ID: placeID(i), Name: match.Parse(cases[i].Name), Born: match.ParseBirth(cases[i].Born)}
	})
	index := match.NewLinker(defendants)
	near = make([][]int64, len(cases))
	var all []int64
	scan := crowd[models.LinkFace]{near: func(f *models.LinkFace) bool { return len(index.Near(personOf(f))) > 0 }, keep: func(f *models.LinkFace) {
		all = append(all, f.Key)
		for _, r := range index.Near(personOf(f)) {
			near[placeOf(r.ID)] = append(near[placeOf(r.ID)], f.Key)
		}
	}}
	if err := l.run.EachStay(ctx, cases[0].County, scan.add); err != nil {
		return nil, nil, err
	}
	scan.flush()
	stays, err = l.run.Stays(ctx, all)
	return near, stays, err
}
