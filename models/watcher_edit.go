package models

import (
	"strconv"
	"strings"
	"time"
)

// WatcherMember is what an edit of a watcher may change, by its name in /v1.
type WatcherMember string

// The members that edits change, in the order of a list of changes.
const (
	MemberName      WatcherMember = "name"
	MemberCounty    WatcherMember = "county"
	MemberDob       WatcherMember = "dob"
	MemberBirthYear WatcherMember = "birth_year"
	MemberAge       WatcherMember = "age"
	MemberAgeOn     WatcherMember = "age_on"
	MemberEvents    WatcherMember = "events"
	MemberLevel     WatcherMember = "level"
	MemberLabel     WatcherMember = "label"
	MemberNote      WatcherMember = "note"
	MemberPaused    WatcherMember = "paused"
)

// MemberChange is what an edit did to one member of a watcher.
type MemberChange struct {
	Member WatcherMember `json:"member"`
	// From and To are the values as /v1 writes them, lists with commas; nil: there was none. Those of a note are nil: what
	// somebody takes out of a note has to be gone.
	From *string `json:"from"`
	To   *string `json:"to"`
}

// WatcherEdit is one change of a watcher, with who made it. It is the GORM model of watcher_edits.
type WatcherEdit struct {
	WatcherID string         `gorm:"primaryKey"`
	Rev       int64          `gorm:"primaryKey"` // of the watcher, which the change made
	By        string         // who made it: a user by address, a key by label and prefix, or "a program"
	At        time.Time      `gorm:"serializer:utc"`  // UTC
	Changes   []MemberChange `gorm:"serializer:json"` // never empty
}

// TableName is the table of edits.
func (WatcherEdit) TableName() string { return "watcher_edits" }

// ID names the edit among those of its watcher.
func (e *WatcherEdit) ID() string { return strconv.FormatInt(e.Rev, 10) }

// ChangesSince returns what w has otherwise than before had it; nil when that is nothing.
func (w *Watcher) ChangesSince(before *Watcher) (all []MemberChange) {
	was, is := before.members(), w.members()
	for i, m := range is {
		from, to := was[i].value, m.value
		if from == to {
			continue
		}
		c := MemberChange{Member: m.name}
		if m.name != MemberNote {
			c.From, c.To = NilIfEmpty(from), NilIfEmpty(to)
		}
		all = append(all, c)
	}
	return all
}

// member is a member of a watcher with its value as text, empty for none: no value is an empty text.
type member struct {
	name  WatcherMember
	value string
}

// members are those that edits change, always in the same order.
func (w *Watcher) members() []member {
	county, events := "", make([]string, len(w.Events))
	if w.County != nil {
		county = w.County.Slug
	}
	for i, e := range w.Events {
		events[i] = string(e)
	}
	return []member{
		{MemberName, w.Name},
		{MemberCounty, county},
		{MemberDob, dateText(w.Dob)},
		{MemberBirthYear, numberText(w.BirthYear)},
		{MemberAge, numberText(w.Age)},
		{MemberAgeOn, dateText(w.AgeOn)},
		{MemberEvents, strings.Join(events, ", ")},
		{MemberLevel, string(w.Level)},
		{MemberLabel, EmptyIfNil(w.Label)},
		{MemberNote, EmptyIfNil(w.Note)},
		{MemberPaused, strconv.FormatBool(w.Paused)},
	}
}

func dateText(d *Date) string {
	if d == nil {
		return ""
	}
	return d.String()
}

func numberText(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}
