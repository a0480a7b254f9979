package models

import "time"

// View is a state of the records as far as their generations tell it, and the minute, which decides the
// next hearing: hearings begin on whole minutes. Equal views show equal records.
type View struct {
	Roster, Courts, Corrections, Links int64
	Minute                             int64
}

// viewPatience is how long a view counts as current without word from the database: a connection that
// broke off silently keeps a stale view alive no longer.
const viewPatience = 4 * feedPoll

// View gives the newest view heard of; ok is false while nobody follows changes (Changes) or the
// connection for them is lost. A committed change is heard of within milliseconds.
func (s *Store) View() (v View, ok bool) {
	h := s.feed.heard.Load()
	if h == nil || time.Since(h.at) > viewPatience {
		return View{}, false
	}
	v = h.view
	v.Minute = s.now().Unix() / 60
	return v, true
}

// heardView is a view and when the database last confirmed it.
type heardView struct {
	view View
	at   time.Time
}

// note keeps what was told under the feed's lock.
func (fd *feed) note() {
	fd.heard.Store(&heardView{at: time.Now(), view: View{
		Roster: fd.seen[Roster], Courts: fd.seen[Courts], Corrections: fd.seen[Corrections], Links: fd.seen[linksFamily],
	}})
}
