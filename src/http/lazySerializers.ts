import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";

type SerializerFactory = ReturnType<typeof SerializerSelector>;
type Serializer = ReturnType<ReturnType<SerializerFactory>>;

/**
 * Compiles what writes an answer when the first such answer is written: compiling those of all answers of all routes is a fifth of
 * a start, and most are of errors that never come.
 */
export function lazySerializers(): SerializerFactory {
  const compiled = SerializerSelector();
  return (schemas, options) => {
    const compile = compiled(schemas, options);
    return (route) => {
      let serialize: Serializer | undefined;
      return (answer) => {
        serialize ??= compile(route);
        return serialize(answer);
      };
    };
  };
}
