package models

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// AuditEntry is one line of who looked at or changed what matters about alerts.
type AuditEntry struct {
	ID        int64
	At        time.Time
	AccountID string
	Actor     string // a user, a key, or the command line's user
	Action    string // such as webhook_secret.shown
	Subject   string // id of what was touched, or empty
	Detail    map[string]any
}

// AddAudit writes a line; ID and At are set. No secrets and no personal data belong into Detail.
func (s *Store) AddAudit(ctx context.Context, e *AuditEntry) error {
	if e.Detail == nil {
		e.Detail = map[string]any{}
	}
	e.At = s.now().UTC()
	err := s.pool.QueryRow(ctx, `insert into alert_audit (at, account_id, actor, action, subject, detail) values ($1, $2, $3, $4, $5, $6) returning id`,
		e.At, e.AccountID, e.Actor, e.Action, e.Subject, e.Detail).Scan(&e.ID)
	if err != nil {
		return fmt.Errorf("write audit line: %w", err)
	}
	return nil
}

// Audit gives up to limit lines of an account, newest first.
func (s *Store) Audit(ctx context.Context, accountID string, limit int) ([]*AuditEntry, error) {
	rows, err := s.pool.Query(ctx, `select id, at, account_id, actor, action, subject, detail from alert_audit where account_id = $1 order by id desc limit $2`, accountID, limit)
	if err != nil {
		return nil, fmt.Errorf("read audit lines: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[AuditEntry])
	if err != nil {
		return nil, fmt.Errorf("read audit lines: %w", err)
	}
	return found, nil
}
