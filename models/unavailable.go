package models

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// unavailable says whether err means that the database, or the time that a request may take, ran
// out: asking again later can succeed, and nothing is wrong with the request.
func unavailable(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, io.ErrUnexpectedEOF) || pgconn.Timeout(err) {
		return true
	}
	var dial *pgconn.ConnectError
	var network net.Error
	if errors.As(err, &dial) || errors.As(err, &network) {
		return true
	}
	var pg *pgconn.PgError
	return errors.As(err, &pg) && passing(pg.Code)
}

// passing says whether an SQLSTATE speaks of a state that passes: lost connections (class 08),
// resources used up (53), a time-out or a cancelled statement (57014), a server that stops or
// starts (57P), a lock not given (55P03), a transaction to be tried again (40).
func passing(code string) bool {
	for _, class := range []string{"08", "40", "53", "57P", "57014", "55P03"} {
		if strings.HasPrefix(code, class) {
			return true
		}
	}
	return false
}
