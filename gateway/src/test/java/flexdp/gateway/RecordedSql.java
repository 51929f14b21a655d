package flexdp.gateway;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** A connection that remembers the text of every statement that it sends. */
final class RecordedSql {
  final Set<String> sent = new ConcurrentSkipListSet<>();

  Connection over(Connection connection) {
    return proxy(Connection.class, connection);
  }

  private <T> T proxy(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (arguments != null && arguments.length > 0 && arguments[0] instanceof String sql) {
                if (method.getName().startsWith("execute")
                    || method.getName().startsWith("prepare")) {
                  sent.add(sql);
                }
              }
              try {
                Object result = method.invoke(target, arguments);
                return switch (result) {
                  case PreparedStatement statement -> proxy(PreparedStatement.class, statement);
                  case Statement statement -> proxy(Statement.class, statement);
                  case null, default -> result;
                };
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
