package mirror

import (
	"math"
	"slices"

	"rollcall/models"
)

// list is the name by which cursors of changes are sealed.
const list = "changes"

// position is how far a caller has read a family.
type position struct {
	Family models.Family `json:"f"`
	// Gen and Key are the generation and key of the last change that was read. Key is whole where nothing of Gen is left.
	Gen int64 `json:"g"`
	Key int64 `json:"k"`
	// Since is the generation in which the caller began. What went before then it never saw, so it needs no tombstone of it.
	Since int64 `json:"s"`
}

// whole is a key after all records of a generation.
const whole = math.MaxInt64

// unread is the position of a family of which nothing was read, and not even its generation is known.
const unread = -1

// open returns the positions of what a caller asks for, by its cursor if it has one.
func (s *Store) open(a Ask) ([]position, error) {
	want, err := asked(a.Families)
	if err != nil {
		return nil, err
	}
	var at []position
	if a.After == "" {
		for _, f := range want {
			at = append(at, position{Family: f, Since: unread})
		}
		return at, nil
	}
	if err := s.OpenCursor(list, a.After, &at); err != nil {
		return nil, err
	}
	read := make([]models.Family, len(at))
	for i, p := range at {
		read[i] = p.Family
	}
	if len(a.Families) > 0 && !slices.Equal(read, want) {
		return nil, models.Invalid("families", "this cursor belongs to other families; leave families out, or begin without a cursor")
	}
	return at, nil
}

// begun returns the position to read from. CodeCursorExpired: tombstones that the caller needs are deleted, or the database
// is an older one than that of the cursor, as after a restore.
func (p position) begun(known generation) (position, error) {
	if p.Since == unread {
		p.Since = known.shown
		return p, nil
	}
	read := p.Gen // as a whole
	if p.Key != whole {
		read--
	}
	if max(read, p.Since) < known.forgotten || max(p.Gen, p.Since) > known.gen {
		return p, &models.Error{
			Code: models.CodeCursorExpired, Field: "after",
			Message: "this cursor is too old; delete your copy and begin again without after",
		}
	}
	return p, nil
}

// finish moves the position to the end of what is known.
func (p *position) finish(known generation) {
	if known.shown > p.Gen || known.shown == p.Gen && p.Key != whole {
		p.Gen, p.Key = known.shown, whole
	}
}
