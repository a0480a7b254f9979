package db

import (
	"time"

	"rollcall/models"
)

// viewPatience is how long a view counts as current without a reading of the database. A connection
// that broke silently keeps a stale view alive no longer than that: so long may a record be served
// from memory after it was withheld.
const viewPatience = 4 * feedPoll

// View returns the newest view announced. ok is false while nothing follows changes (Changes) or
// the connection for them is lost; the caller then asks the database. A committed change is
// announced within milliseconds. Minute is part of the view because next hearings depend on the
// time of reading.
func (d *DB) View() (v models.View, ok bool) {
	h := d.feed.heard.Load()
	if h == nil || time.Since(h.at) > viewPatience {
		return models.View{}, false
	}
	v = h.view
	v.Minute = d.now().Unix() / 60
	return v, true
}

// heardView is a view and when a reading of the database last confirmed it.
type heardView struct {
	view models.View
	at   time.Time
}

// note publishes what is in seen, under the feed's lock.
func (fd *feed) note() {
	fd.heard.Store(&heardView{at: time.Now(), view: models.View{
		Roster: fd.seen[models.Roster], Courts: fd.seen[models.Courts], Corrections: fd.seen[models.Corrections], Links: fd.seen[models.LinksFamily],
	}})
}
