package source

import (
	"context"
	"fmt"
	"time"

	"rollcall/models"
)

// HoldSource stops a source by an operator's word: what it brings is kept raw and not applied, until
// it is released. The note says why; it holds no personal data. What a source is held for already stays its note.
// A note of more than 300 characters is refused.
func (s *Store) HoldSource(ctx context.Context, id, note string, now time.Time) error {
	note, err := models.NameText("why", note, 300)
	if err != nil {
		return err
	}
	tag, err := s.Pool().Exec(ctx, `update sources set note = case when held_since is null or note is null then $3 else note end, held_since = coalesce(held_since, $2) where id = $1`, id, now, note)
	if err != nil {
		return fmt.Errorf("hold source %s: %w", id, err)
	}
	if tag.RowsAffected() == 0 {
		return models.NoSource(id)
	}
	return nil
}

// ReleaseSource lets a held or refused source go on. Of a held one the run is noted that was the first to be held, for
// until the next complete snapshot its own, and whatever does no worse, is taken; columns that the next one has are the known
// ones. A refused one is asked again. For any other source that would only take away a guard: it is refused.
func (s *Store) ReleaseSource(ctx context.Context, id string) error {
	tag, err := s.Pool().Exec(ctx, `update sources s set held_since = null, refused_since = null, note = null, failures = 0, not_before = null,
 waived = case when held_since is null then waived else f.run is not null end, waived_run = case when held_since is null then waived_run else coalesce(f.run, waived_run) end,
 told = case when held_since is null then told end, header_print = case when held_since is null then header_print end
 from (values (1)) one left join lateral (select min(r.id) as run from runs r join sources h on h.id = r.source_id where h.id = $1 and r.state = 'held' and r.finished_at >= h.held_since and r.id > coalesce(h.waived_run, 0)) f on true
 where s.id = $1 and (held_since is not null or refused_since is not null)`, id)
	if err != nil {
		return fmt.Errorf("release source %s: %w", id, err)
	}
	if tag.RowsAffected() == 0 {
		return s.notHeld(ctx, id)
	}
	return nil
}

// AskAgain forgets that a source is left alone for a while because it failed. Whether it is held or refused stays.
func (s *Store) AskAgain(ctx context.Context, id string) error {
	tag, err := s.Pool().Exec(ctx, `update sources set not_before = null where id = $1`, id)
	if err != nil {
		return fmt.Errorf("ask source %s again: %w", id, err)
	}
	if tag.RowsAffected() == 0 {
		return models.NoSource(id)
	}
	return nil
}

// AcceptColumns lets the columns of a source's next snapshot be the known ones: an operator looked at what
// changed, and the document fits it.
func (s *Store) AcceptColumns(ctx context.Context, id string) error {
	tag, err := s.Pool().Exec(ctx, `update sources set header_print = null, told = null where id = $1`, id)
	if err != nil {
		return fmt.Errorf("accept columns of source %s: %w", id, err)
	}
	if tag.RowsAffected() == 0 {
		return models.NoSource(id)
	}
	return nil
}

// ReleaseRenumbered is ReleaseSource for a source whose keys were renumbered: until its next complete
// snapshot, whoever stands under a new key with the same name and instant of booking is the booking that
// is gone from its old key, not a new one.
func (s *Store) ReleaseRenumbered(ctx context.Context, id string) error {
	tag, err := s.Pool().Exec(ctx, `update sources set renumbered = true where id = $1 and held_since is not null`, id)
	if err != nil {
		return fmt.Errorf("note that source %s was renumbered: %w", id, err)
	}
	if tag.RowsAffected() == 0 {
		return s.notHeld(ctx, id)
	}
	return s.ReleaseSource(ctx, id)
}

// notHeld tells why a source can not be released.
func (s *Store) notHeld(ctx context.Context, id string) error {
	var known bool
	if err := s.Pool().QueryRow(ctx, `select exists (select from sources where id = $1)`, id).Scan(&known); err != nil {
		return fmt.Errorf("look for source %s: %w", id, err)
	}
	if !known {
		return models.NoSource(id)
	}
	return models.Invalid("id", "source "+id+" is not held, so there is nothing to release; nothing was changed")
}
