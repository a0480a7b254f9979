package models

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"rollcall/match"
)

// MatchLevel is how sure a match must be before a watcher is notified (match.Level by its word).
type MatchLevel string

// The levels; normal is the default.
const (
	LevelStrict MatchLevel = "strict"
	LevelNormal MatchLevel = "normal"
	LevelWide   MatchLevel = "wide"
)

// Bounds of a watcher's members, in characters, and DefaultMaxWatchers, the active watchers that an
// account may have unless Options.MaxWatchers says otherwise.
const (
	MinWatcherName     = 2
	MaxWatcherName     = 200
	maxWatcherLabel    = 200
	maxWatcherNote     = 2000
	DefaultMaxWatchers = 100_000
)

// Watcher is a standing question of an account: tell me when this person is booked, released, or has
// another bond. It sees what is detected after its creation (DECISIONS.md, "Alerts"). It is the GORM model of watchers.
type Watcher struct {
	ID        string      `gorm:"primaryKey"` // alrt_...
	AccountID string      // who watches
	Name      string      // as the account wrote it, without what is not visible
	County    *County     `gorm:"column:county_id;serializer:county"` // nil: all counties
	Events    []EventKind `gorm:"serializer:list"`                    // in the contract's order, without repetitions
	Level     MatchLevel
	Dob       *Date      `gorm:"serializer:date"` // nil: not known
	BirthYear *int       // nil: not known, or the year of Dob
	Age       *int       // on AgeOn; nil: not known
	AgeOn     *Date      `gorm:"serializer:date"` // when Age was stated; nil without Age
	Label     *string    // the account's own, in a line
	Note      *string    // the account's own, in several
	Paused    bool       // it fires nothing
	CreatedAt time.Time  `gorm:"serializer:utc"` // UTC
	DeletedAt *time.Time `gorm:"serializer:utc"` // nil: it is not deleted; a row is never removed
	Rev       int64      `gorm:"->"`             // of its last change; grows in the order of commits
	SinceRev  int64      `gorm:"->"`             // since when it watches for this person without a pause
}

// TableName is the table of watchers. Its triggers number the rows.
func (Watcher) TableName() string { return "watchers" }

// AlertAccount is what is summed up of an account's alerts. It is the GORM model of alert_accounts.
type AlertAccount struct {
	AccountID string     `gorm:"primaryKey"`
	Watchers  int        // that are not deleted; triggers count them
	Rev       int64      // of the newest change of its watchers; triggers keep it
	FloodTAT  *time.Time `gorm:"column:flood_tat;serializer:utc"` // when the next delivery is due that stays under the flood limit; nil: at once
}

// TableName is the table of sums.
func (AlertAccount) TableName() string { return "alert_accounts" }

// NewWatcher is what CreateWatcher takes; nil members take their defaults.
type NewWatcher struct {
	Name      string
	County    *string      // slug; nil: all counties
	Events    *[]EventKind // nil: all three
	Level     *MatchLevel
	Dob       *Date
	BirthYear *int
	Age       *int
	AgeOn     *Date // nil: today
	Label     *string
	Note      *string
	Paused    bool
}

// Fact is a member of a change that can be taken away. The zero Fact leaves what is stored.
type Fact[T any] struct {
	Given bool
	Value *T // nil takes it away
}

// WatcherChange holds what to change of a watcher; nil and the zero Fact leave it. An empty Label or Note takes it away. A
// watcher that is changed in whom it watches for sees what is detected from then on, as after a pause.
type WatcherChange struct {
	Name      *string
	County    Fact[string] // slug
	Dob       Fact[Date]
	BirthYear Fact[int]
	Age       Fact[int]
	AgeOn     Fact[Date] // left out beside a new age: today
	Events    *[]EventKind
	Level     *MatchLevel
	Label     *string
	Note      *string
	Paused    *bool
	By        Actor   // who changes it
	Seen      *string // Version or State that the change is of: ErrChanged if it is another by now; nil: whatever it is
}

// WatcherPage is one page of an account's watchers.
type WatcherPage struct {
	Total    int // active and paused ones
	Limit    int
	Offset   int
	Watchers []*Watcher
	PageInfo PageInfo
}

// InvalidBody says that member field of a request's body cannot be taken, and what would be. With names, message is a
// format (Error.Names).
func InvalidBody(field, message string, names ...string) *Error {
	return &Error{Code: CodeInvalidRequest, Message: message, Field: field, Names: names}
}

// orderKinds reads kinds in any letter case: in the contract's order, duplicates folded, never empty.
func orderKinds(kinds []EventKind) ([]EventKind, error) {
	if len(kinds) == 0 {
		return nil, InvalidBody("events", "events must name at least one of %s, %s, %s", string(EventBooking), string(EventRelease), string(EventBondChange))
	}
	asked := map[EventKind]bool{}
	for _, k := range kinds {
		k = EventKind(strings.ToLower(string(k)))
		if !slices.Contains(EventKinds(), k) {
			return nil, InvalidBody("events", "events must be %s, %s or %s", string(EventBooking), string(EventRelease), string(EventBondChange))
		}
		asked[k] = true
	}
	return slices.DeleteFunc(EventKinds(), func(k EventKind) bool { return !asked[k] }), nil
}

// Apply applies what c says of how w watches, and checks it. Whom it watches for is left to package alert, which knows the
// counties.
func (w *Watcher) Apply(c WatcherChange) (err error) {
	if c.Events != nil {
		if w.Events, err = orderKinds(*c.Events); err != nil {
			return err
		}
	}
	if c.Level != nil {
		level := MatchLevel(strings.ToLower(string(*c.Level)))
		if !slices.Contains([]MatchLevel{LevelStrict, LevelNormal, LevelWide}, level) {
			return InvalidBody("level", "level must be strict, normal or wide")
		}
		w.Level = level
	}
	if w.Label, err = freeText("label", w.Label, c.Label, maxWatcherLabel, Visible); err != nil {
		return err
	}
	if w.Note, err = freeText("note", w.Note, c.Note, maxWatcherNote, visibleLines); err != nil {
		return err
	}
	set(&w.Paused, c.Paused)
	return nil
}

// freeText is the value of a text member after a change, as clean leaves it; nil when it is or becomes empty.
func freeText(field string, old, changed *string, limit int, clean func(string) string) (*string, error) {
	if changed == nil {
		return old, nil
	}
	if !utf8.ValidString(*changed) || strings.ContainsRune(*changed, 0) {
		return nil, InvalidBody(field, "%s must be valid UTF-8 without NUL bytes", field)
	}
	if utf8.RuneCountInString(*changed) > limit {
		return nil, InvalidBody(field, field+" must have at most "+strconv.Itoa(limit)+" characters")
	}
	return NilIfEmpty(clean(*changed)), nil
}

// StandingWatcher is what matching needs of a watcher.
type StandingWatcher struct {
	ID        string
	Name      string
	CountyID  *int16 // nil: all counties
	Level     MatchLevel
	Dob       *Date
	BirthYear *int16
	Age       *int16
	AgeOn     *Date
	Active    bool // neither deleted nor paused
	Rev       int64
}

// Born returns what matching compares with births: the date, else the year, else the two years that an age leaves.
func (w *Watcher) Born() match.Birth { return bornOf(w.Dob, w.BirthYear, w.Age, w.AgeOn) }

// Compared returns the watcher as package match compares it, under an id. An error means that its level is none.
func (w *Watcher) Compared(id string) (match.Watcher, error) {
	level, err := match.ParseLevel(string(w.Level))
	if err != nil {
		return match.Watcher{}, err
	}
	of := match.Watcher{ID: id, Name: w.Name, Level: level, Born: w.Born()}
	if w.County != nil {
		of.County = w.County.Slug
	}
	return of, nil
}

// Born returns the same as Watcher.Born.
func (w *StandingWatcher) Born() match.Birth { return bornOf(w.Dob, w.BirthYear, w.Age, w.AgeOn) }

// BornOf returns what a record says of a birth; the zero Birth is nothing.
func BornOf(dob *Date, year *int) match.Birth { return bornOf(dob, year, nil, nil) }

func bornOf[Y int | int16](dob *Date, year, age *Y, on *Date) match.Birth {
	switch {
	case dob != nil:
		return match.Birth{Year: int16(dob.Year), Month: uint8(dob.Month), Day: uint8(dob.Day)} //nolint:gosec // of a calendar day
	case year != nil:
		return match.Birth{Year: int16(*year)}
	case age != nil && on != nil:
		return match.BornByAge(int(*age), match.Birth{Year: int16(on.Year)}) //nolint:gosec // of a calendar day
	}
	return match.Birth{}
}
