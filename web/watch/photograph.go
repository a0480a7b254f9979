package watch

import (
	"net/url"

	"rollcall/models"
	"rollcall/models/photograph"
	"rollcall/web/page"
	"rollcall/web/words"
)

// pictureSide is how many pixels a photograph beside a hit is high and wide at most.
const pictureSide = 64

// picture is a small photograph of a booking. Its address works for minutes; scripts ask for another one (static/photograph.js).
type picture struct {
	*photograph.Shown
	// Address is its path on this site.
	Address string
}

// Size returns width and height as the page shows them.
func (p *picture) Size() (size struct{ Width, Height int }) {
	size.Width, size.Height = p.SmallWidth, p.SmallHeight
	if largest := max(size.Width, size.Height); largest > pictureSide {
		size.Width, size.Height = size.Width*pictureSide/largest, size.Height*pictureSide/largest
	}
	return size
}

// Taken is the day on which the photograph was taken from the jail.
func (p *picture) Taken() words.Text { return words.Day(models.DateOf(p.TakenAt.In(models.Georgia))) }

// picture adds the photographs to rows.
func (s Site) picture(v *page.Visit, rows []hitRow) error {
	if s.Photograph == nil {
		return nil
	}
	var rids []int64
	for _, r := range rows {
		if r.Record.HasPhoto {
			rids = append(rids, r.RID)
		}
	}
	if len(rids) == 0 {
		return nil
	}
	found, err := s.Store.PhotographsOf(v.R.Context(), rids)
	if err != nil {
		return err
	}
	for i, r := range rows {
		if p := found[r.RID]; p != nil {
			u, err := url.Parse(s.Photograph(r.Record.ID))
			if err != nil {
				return err
			}
			rows[i].Photo = &picture{p, u.Path}
		}
	}
	return nil
}
