package models

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// WithoutValues returns err's text for the log. PostgreSQL quotes values in messages of class 22 (data exception) and in
// others, and a name must not reach the log. The code of the error stays.
func WithoutValues(err error) string {
	text := err.Error()
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Message != "" {
		text = strings.ReplaceAll(text, pg.Message, "[message]")
	}
	return text
}
